public import Foundation

/// What kind of archive the generator makes. The same options give the same bytes on every machine.
public struct GeneratorOptions: Hashable, Sendable {
    /// About how many `Record` elements; the archive has at least this many and at most a few percent more.
    /// It covers a fortnight at the least, which has about a thousand.
    public var records: Int
    /// Seed of all that is random.
    public var seed: UInt64
    /// The instant the archive says it was exported at; nothing in it is later.
    public var exportDate: Date
    /// The person's time zone. Its daylight-saving changes are in the data, as on a telephone.
    public var timeZone: TimeZone
    /// The iOS whose archive is imitated, with all that lies beside the main file; `nil` for the plain
    /// archive of demo and benchmark, which is the same in every release.
    public var dialect: ArchiveDialect?
    /// Language and region of a dialect's telephone, like `fr_FR`; others than such texts count as `en_US`.
    public var locale = "en_US"
    /// Whether a dialect's archive has the mistakes its iOS made.
    public var hasDefects = true

    /// Asks for about this many records, up to an instant, in New York unless told otherwise.
    public init(
        records: Int, seed: UInt64 = 1, exportDate: Date,
        timeZone: TimeZone = TimeZone(identifier: "America/New_York") ?? .gmt
    ) {
        self.records = records
        self.seed = seed
        self.exportDate = exportDate
        self.timeZone = timeZone
    }

    /// Whether a text names a language, with or without a region, as ``locale`` wants it.
    public static func takes(locale: String) -> Bool { GeneratorLocale(locale) != nil }

    /// How many days the archive covers: about 940 records a day, a fortnight at the least.
    var days: Int { max(14, records / 940) }

    /// How often series are measured, in parts of 1,000: fewer records than a fortnight has thin them out.
    var density: Int { min(1_000, max(10, (records - 60 * days) * 1_000 / (880 * days))) }
}
