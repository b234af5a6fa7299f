public import Foundation

/// The options of a generated archive. The same options give the same bytes on every machine.
public struct GeneratorOptions: Hashable, Sendable {
    /// The approximate number of `Record` elements; the archive has at most a few percent more. It covers at least two
    /// weeks, which have about a thousand.
    public var records: Int
    /// The seed of the random numbers.
    public var seed: UInt64
    /// The export date of the archive; nothing in it is later.
    public var exportDate: Date
    /// The person's time zone. Its daylight saving changes are in the data.
    public var timeZone: TimeZone
    /// The version of iOS to imitate, including the files beside the main file; `nil` for a plain archive for demos and
    /// benchmarks, which is the same in every release.
    public var dialect: ArchiveDialect?
    /// The language and region in a dialect's archive, such as `fr_FR`. Invalid values count as `en_US`.
    public var locale = "en_US"
    /// Whether a dialect's archive has the defects of that version of iOS.
    public var hasDefects = true

    /// The scenario that a plain archive tells. It has its own number of days and density of records; a dialect’s archive
    /// has none.
    public var scenario: HealthScenario?

    /// Creates options for a number of records up to an export date, by default in New York.
    public init(
        records: Int, seed: UInt64 = 1, exportDate: Date,
        timeZone: TimeZone = TimeZone(identifier: "America/New_York") ?? .gmt
    ) {
        self.records = records
        self.seed = seed
        self.exportDate = exportDate
        self.timeZone = timeZone
    }

    /// Whether a text is a language with or without a region, in the form of ``locale``.
    public static func isValid(locale: String) -> Bool { GeneratorLocale(locale) != nil }

    /// The number of days in the archive: at least two weeks, with about 940 records per day.
    var days: Int { scenario?.days ?? max(14, records / 940) }

    /// The relative density of measurements in thousandths: lower if there are fewer records than in two weeks.
    var density: Int { scenario?.density ?? min(1_000, max(10, (records - 60 * days) * 1_000 / (880 * days))) }
}
