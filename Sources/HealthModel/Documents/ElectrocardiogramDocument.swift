/// The names of what an electrocardiogram keeps in its document.
public enum ElectrocardiogramDocument {
    /// What the recording was found to be, a whole number: not set 0, sinus rhythm 1, atrial fibrillation 2,
    /// inconclusive for a low heart rate 3, for a high one 4, for a poor reading 5, otherwise inconclusive 6,
    /// unrecognized 100.
    public static let classification = "classification"
    /// Whether the person noted symptoms, a whole number: not set 0, none 1, present 2.
    public static let symptomsStatus = "symptomsStatus"
    /// A quantity; missing where the recording was too poor for one.
    public static let averageHeartRate = "averageHeartRate"
    /// A quantity: measurements a second.
    public static let samplingFrequency = "samplingFrequency"
    /// A series: seconds since the start, one for each measurement.
    public static let times = "times"

    /// A series: volts measured by a lead, one for each measurement; NaN where the lead has none. The only
    /// lead there is, like lead I, has the number 1.
    public static func voltages(lead: Int) -> String { "voltages.\(lead)" }
}
