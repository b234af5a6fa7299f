/// Which end of a sample a predicate over a span of time looks at.
public struct HKQueryOptions: OptionSet, Sendable {
    public let rawValue: UInt

    public init(rawValue: UInt) {
        self.rawValue = rawValue
    }

    /// The sample starts within the span.
    public static var strictStartDate: HKQueryOptions { HKQueryOptions(rawValue: 1) }

    /// The sample ends within the span.
    public static var strictEndDate: HKQueryOptions { HKQueryOptions(rawValue: 2) }
}
