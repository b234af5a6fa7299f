extension ElectrocardiogramDocument {
    /// A series: the volts measured by a lead, one per measurement; NaN where there is none. The only lead,
    /// similar to lead I, is number 1.
    package static func voltages(lead: Int) -> String { "voltages.\(lead)" }
}

extension AudiogramDocument {
    /// The maximum frequency of a point, in hertz. The original does not publish its limit; this is the limit of
    /// human hearing.
    package static let maximumFrequency = 20_000.0

    /// The allowed sensitivities, in decibels of hearing level. The original does not publish its limits; these
    /// are wider than what audiometers measure.
    package static let sensitivities = -50.0...200.0
}
