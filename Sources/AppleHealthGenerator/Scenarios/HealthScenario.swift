package import Foundation

/// A fictional person in a situation that an app should be tested with.
///
/// Each is an ordinary person’s archive with a change, and deterministic: the same seed gives the same samples. The
/// person lives in New York and has an iPhone, an Apple Watch, a scale and an app for meals.
///
/// ```swift
/// let health = try TestHealthStore(scenario: .jetLag)     // with HealthFixtures
/// try ArchiveGenerator(options: HealthScenario.jetLag.options(seed: 7)).write(toPath: "jet-lag.zip")
/// ```
public struct HealthScenario: Hashable, Sendable {
    /// The name, by which `hk generate --scenario` finds it, such as `jet-lag`.
    public let name: String
    /// A sentence that is true of the person’s data.
    public let summary: String
    /// The number of days, the last of which ends at noon.
    let days: Int
    /// The density of measurements in thousandths of a real person’s.
    let density: Int
    /// The date of the export in UTC, noon in New York.
    private let exportDate: Date
    /// The identifiers of the types that the person doesn’t let the app read.
    package let deniedTypes: [String]
    /// The days up to the export that the person lets the app read; `nil` for all.
    package let readableDays: Int?
    /// Changes an ordinary archive.
    let make: @Sendable (inout ScenarioPlan) -> Void

    init(
        _ name: String, _ summary: String, days: Int = 14, density: Int = 150, until exportDate: String = "2025-11-16",
        deniedTypes: [String] = [], readableDays: Int? = nil,
        _ make: @escaping @Sendable (inout ScenarioPlan) -> Void = { _ in }
    ) {
        (self.name, self.summary, self.days, self.density) = (name, summary, days, density)
        (self.deniedTypes, self.readableDays, self.make) = (deniedTypes, readableDays, make)
        guard let date = try? Date(exportDate + "T17:00:00Z", strategy: .iso8601) else {
            preconditionFailure("The date of a scenario is like 2025-11-16.")
        }
        self.exportDate = date
    }

    /// The scenario of a name; `nil` if there is none.
    public init?(named name: String) {
        guard let known = Self.all.first(where: { $0.name == name }) else { return nil }
        self = known
    }

    /// The options of its archive.
    public func options(seed: UInt64 = 1) -> GeneratorOptions {
        var options = GeneratorOptions(records: 1, seed: seed, exportDate: exportDate)
        options.scenario = self
        return options
    }

    /// Whether both are the same one: names are unique.
    public static func == (left: HealthScenario, right: HealthScenario) -> Bool { left.name == right.name }

    /// Hashes the name.
    public func hash(into hasher: inout Hasher) { hasher.combine(name) }

    /// The start of the days that the app may read.
    package func readableSince(_ options: GeneratorOptions) -> Date? {
        readableDays.map { readable in
            let clock = GeneratorClock(options)
            return Date(timeIntervalSinceReferenceDate: Double(clock.dayStarts[clock.dayCount - readable]))
        }
    }

    /// All scenarios, in the order of the documentation.
    public static let all: [HealthScenario] = [
        ordinaryFortnight, phoneAndWatch, watchLost, clockChange, jetLag, firstDay, deniedTypes, yearWithoutData,
        atrialFibrillation, triathlon, diabeticWeek, pregnancy, conflictingSources,
    ]
}
