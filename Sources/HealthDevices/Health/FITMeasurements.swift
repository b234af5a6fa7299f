import HealthFiles
import HealthModel

/// Single measurements: of scales and blood pressure monitors, and those a watch takes by itself.
enum FITMeasurements {
    /// Adds what a message measured. Returns whether the message is one that is read here.
    static func read(
        _ message: FITMessage, _ origin: FITOrigin, _ samples: SampleOrigin, into content: inout FileContent
    ) -> Bool {
        guard let figures = Self.figures[message.number] else { return false }
        switch message.number {
        case FITMessageNumber.weightScale:
            typealias Names = FITField.WeightScale
            for field in [Names.percentHydration, Names.boneMass, Names.muscleMass, Names.visceralFatMass]
            where message[field] != nil { content.leaveOut("hydration, bone or muscle mass, visceral fat") }
        case FITMessageNumber.bloodPressure: addBloodPressure(message, origin, samples, &content)
        case FITMessageNumber.monitoringHrData
        where message[FITField.MonitoringHrData.currentDayRestingHeartRate] == nil:
            content.leaveOut("resting heart rate of a week")
        default: break
        }
        for (type, field, divisor) in figures {
            // One less than the invalid value means that the scale was still measuring.
            let isReady = type != .bodyMass || message.integer(field) != 0xFFFE
            // What a watch couldn't measure is negative or zero.
            guard isReady, let value = message.number(field).map({ $0 / divisor }), value > 0 else { continue }
            guard let date = origin.date(message) else {
                content.leaveOut("measurement without a time")
                continue
            }
            // A watch repeats the resting heart rate of the day.
            if type == .restingHeartRate, content.samples.last(where: { $0.type == type.code })?.value == value {
                continue
            }
            content.samples.append(samples.quantity(type, value, date))
        }
        return true
    }

    private static func addBloodPressure(
        _ message: FITMessage, _ origin: FITOrigin, _ samples: SampleOrigin, _ content: inout FileContent
    ) {
        typealias Names = FITField.BloodPressure
        guard let date = origin.date(message), let systolic = message.number(Names.systolicPressure),
            let diastolic = message.number(Names.diastolicPressure)
        else { return content.leaveOut("blood pressure without a time or value") }
        content.objects.append(samples.bloodPressure(systolic, diastolic, date, date))
    }
}
