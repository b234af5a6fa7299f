import Foundation
import Testing

@testable import HealthKit

/// A programmer's mistake that ends the process: where in the module it is detected, the message, and a program that
/// makes it.
struct Misuse: Sendable, CustomTestStringConvertible {
    /// The file that notices it, without its folder and `.swift`.
    let file: String
    /// Which of the file's checks it is, from 1; see ``CheckSites``.
    let site: Int
    /// A part of the message.
    let message: String
    let body: @Sendable () async throws -> Void

    init(_ file: String, _ site: Int, _ message: String, _ body: @escaping @Sendable () async throws -> Void) {
        self.file = file
        self.site = site
        self.message = message
        self.body = body
    }

    var testDescription: String { "\(file) \(site)" }

    static let all =
        objects + documents + workouts + predicates + queries + descriptors + store
        + (Misuse.self as any DeprecatedMisuses.Type).watch

    // MARK: What several of them need

    /// Metadata with a value of a class that is not allowed.
    static var wrongMetadata: [String: Any] { ["key": [1]] }
    static let aboutMetadata = "for metadata key: key. Expected NSString, NSDate, NSNumber or HKQuantity."
    /// A predicate that fits no type.
    static var unfit: NSPredicate { NSPredicate(format: "nonsense == 1") }
    static let aboutUnfit = "Unsupported key path nonsense for a predicate of "
    static let aboutSum =
        "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierHeartRate"
    static let wrongUnit = HKQuantity(unit: .second(), doubleValue: 1)
    static let date = FreshStore.epoch
    static let running: HKWorkoutConfiguration = {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        return configuration
    }()
}
