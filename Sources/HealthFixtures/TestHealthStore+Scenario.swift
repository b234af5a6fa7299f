@_exported public import AppleHealthGenerator
public import Foundation
import HealthImport
public import HealthKit
import HealthModel
public import HealthTesting

extension TestHealthStore {
    /// Creates a store in memory with the data of a scenario.
    ///
    /// The clock shows the date at which the data ends, noon in New York. Everything is authorized for the app under
    /// test, except in the scenarios ``HealthScenario/deniedTypes`` and ``HealthScenario/firstDay``.
    ///
    /// ```swift
    /// let health = try TestHealthStore(scenario: .watchLost)
    /// ```
    ///
    /// - Parameters:
    ///   - scenario: The situation of the person.
    ///   - seed: The seed of the random numbers: another one gives other measurements of which the same is true.
    ///   - application: The app under test.
    ///   - calendar: The calendar that determines the days of activity summaries.
    /// - Throws: An error of the file system, because the archive of the scenario is a temporary file for a moment.
    public convenience init(
        scenario: HealthScenario, seed: UInt64 = 1,
        application: HKHealthStore.Configuration.Application = TestHealthStore.exampleApplication,
        calendar: Calendar = TestHealthStore.utcCalendar
    ) throws {
        let options = scenario.options(seed: seed)
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).xml")
        defer { try? FileManager.default.removeItem(at: file) }
        try ArchiveGenerator(options: options).write(toPath: file.path)
        try self.init(archive: file, application: application, calendar: calendar)
        let types = try sampleTypes()
        if let since = scenario.readableSince(options) { grant(read: types, since: since) }
        let denied = types.filter { scenario.deniedTypes.contains($0.identifier) }
        deny(share: denied, read: denied)
    }

    /// The types of the store’s samples that an app can ask for.
    private func sampleTypes() throws -> Set<HKSampleType> {
        Set(
            try engine.typeOverview(as: .fixture).compactMap { overview in
                let identifier = overview.type.identifier
                return switch overview.type.kind {
                case .quantity: HKQuantityType(HKQuantityTypeIdentifier(rawValue: identifier))
                case .category: HKCategoryType(HKCategoryTypeIdentifier(rawValue: identifier))
                case .workout: HKObjectType.workoutType()
                default: nil
                }
            })
    }
}
