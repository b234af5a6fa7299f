/// One calendar day as the API layer cut it.
public struct SummaryDay: Hashable, Sendable {
    /// The calendar date.
    public var day: Profile.Day
    /// First instant of the day and of the next one, in seconds since 2001.
    public var start: Double
    /// The first instant of the next day, in seconds since 2001.
    public var end: Double

    /// Makes a day of its date and bounds, 23 to 25 hours apart as a rule.
    public init(day: Profile.Day, start: Double, end: Double) {
        self.day = day
        self.start = start
        self.end = end
    }
}
