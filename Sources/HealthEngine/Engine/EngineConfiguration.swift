public import Foundation

/// What an engine is told when it is made.
public struct EngineConfiguration: Sendable {
    /// How many samples a page holds before it is split; 1,000 unless a test wants less.
    public var pageCapacity: Int
    /// The clock, in seconds since 2001.
    public var now: @Sendable () -> Double

    /// Makes the settings of an engine: pages of 1,000 samples and the system's clock unless given.
    public init(
        pageCapacity: Int = 1_000,
        now: @escaping @Sendable () -> Double = { Date().timeIntervalSinceReferenceDate }
    ) {
        self.pageCapacity = pageCapacity
        self.now = now
    }
}
