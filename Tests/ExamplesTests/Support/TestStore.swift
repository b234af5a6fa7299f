import Foundation
import HealthKit

/// A store in a temporary folder that the test fills and the programs read.
final class TestStore: Sendable {
    let folder: URL
    /// The store as another application opens it.
    let health: HKHealthStore

    var file: URL { folder.appendingPathComponent("health.sqlite") }

    init() {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("examples-\(UUID().uuidString)")
        try? FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        health = HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(folder.appendingPathComponent("health.sqlite")),
                application: .init(bundleIdentifier: "org.example.other", name: "Other"), authorization: .allowAll,
                calendar: .noon))
    }

    deinit {
        try? FileManager.default.removeItem(at: folder)
    }

    /// Returns the instant this many hours after the beginning of today or of an earlier day.
    static func today(_ hour: Double, daysAgo: Int = 0) -> Date {
        let midnight = Calendar.noon.startOfDay(for: Date())
        return Calendar.noon.date(byAdding: .day, value: -daysAgo, to: midnight)!.addingTimeInterval(hour * 3_600)
    }

    static func quantity(
        _ type: HKQuantityTypeIdentifier, _ value: Double, _ unit: HKUnit, at start: Date, lasting: TimeInterval = 0
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: value), start: start,
            end: start.addingTimeInterval(lasting))
    }

    /// Sets characteristics and goals with `hk profile`.
    func profile(_ arguments: [String]) throws {
        let run = try ProgramRun("hk", ["profile"] + arguments, store: file)
        guard run.status == 0 else { throw CocoaError(.featureUnsupported) }
    }

    func run(_ program: String, _ arguments: [String] = []) throws -> ProgramRun {
        try ProgramRun(program, arguments, store: file)
    }
}
