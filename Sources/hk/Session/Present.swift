import Foundation
import HealthKit

/// What “now” is, for every command alike.
///
/// It is the system's time when the command began. `HEALTHKIT_NOW` (ISO 8601 with offset, such as
/// `2025-11-16T12:00:00-05:00`) sets it to another instant, for tests and for looking at an old archive
/// as if it were of today.
enum Present {
    private static let given = ProcessInfo.processInfo.environment["HEALTHKIT_NOW"] ?? ""

    static let now: Date = (try? Date(given, strategy: .iso8601)) ?? Date()

    /// - Throws: ``UsageError`` when the environment's instant is none.
    static func check() throws {
        guard given.isEmpty || (try? Date(given, strategy: .iso8601)) != nil else {
            throw UsageError("$HEALTHKIT_NOW is no instant; it is wanted like 2025-11-16T12:00:00-05:00.")
        }
    }

    /// The clock of stores that commands open.
    static let clock = HKHealthStore.Configuration.Clock(
        now: { now }, after: HKHealthStore.Configuration.Clock.system.after)
}
