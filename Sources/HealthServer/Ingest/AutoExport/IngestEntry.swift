import HealthModel

/// What an entry of a posted document means: a sample or object to save, and how it is recognized when it is posted
/// again.
struct IngestEntry: Sendable {
    /// The sample, or the object with its members.
    var item: Item
    /// The name of the source given with the entry.
    var source: String?
    /// The period that the entry summarizes; `nil` for a single sample.
    var summary: IngestAggregation?
    /// Distinguishes the entries of one summary, such as the stages of a night, from those of another; `nil` for a
    /// summary of one entry, which is identified by its dates.
    var summaryKey: String?
    /// Whether the entry gives the end of its sample. If not, a stored sample matches whatever its end is.
    var isEndKnown = true
    /// Objects that belong to the object, such as a workout's route.
    var parts: [ObjectRecord] = []

    /// A sample or object.
    enum Item: Sendable {
        case sample(SampleRecord)
        case object(ObjectRecord)
    }

    init(_ sample: SampleRecord, source: String? = nil, summary: IngestAggregation? = nil) {
        item = .sample(sample)
        self.source = source
        self.summary = summary
    }

    init(_ object: ObjectRecord, source: String? = nil, summary: IngestAggregation? = nil) {
        item = .object(object)
        self.source = source
        self.summary = summary
    }

    /// The type that the caller must be allowed to write.
    var type: TypeCode {
        switch item {
        case .sample(let sample): sample.type
        case .object(let object): object.type
        }
    }

    var start: Double {
        switch item {
        case .sample(let sample): sample.start
        case .object(let object): object.start
        }
    }

    var end: Double {
        switch item {
        case .sample(let sample): sample.end
        case .object(let object): object.end
        }
    }
}

/// The period that a summarized entry covers. Raw values are stored in metadata.
enum IngestAggregation: String, Sendable {
    case minute, hour, day, week, month, year
    /// A summary of an unknown period.
    case unspecified
    /// A series inside a workout, which yields to samples and summaries of its own type.
    case workout

    /// Reads the header `automation-aggregation`. The outer `nil` is an unknown word, the inner one no aggregation.
    static func header(_ text: String?) -> IngestAggregation?? {
        guard let text, !text.isEmpty else { return nil }
        let word = text.lowercased()
        for (name, aggregation) in [
            ("minute", IngestAggregation.minute), ("hour", .hour), ("day", .day), ("dai", .day), ("week", .week),
            ("month", .month), ("year", .year),
        ] where word.contains(name) { return .some(.some(aggregation)) }
        let none = [
            "none", "off", "false", "disabled", "default", "no", "unaggregated", "individual", "raw", "seconds",
        ]
        return none.contains(word) ? .some(.none) : nil
    }
}

/// Metadata that Health Auto Export's entries are stored with.
enum IngestMetadataKey {
    /// The period of a summarized entry, a raw value of ``IngestAggregation``.
    static let aggregation = "HealthAutoExportAggregation"
    /// What distinguishes a summary of several samples, such as the day of a night.
    static let key = "HealthAutoExportSummary"
    /// The minimum and maximum of the period, quantities.
    static let minimum = "HealthAutoExportMinimum"
    static let maximum = "HealthAutoExportMaximum"
    /// How many events one sample represents, and the words of the entry that HealthKit has no value for.
    static let count = "HealthAutoExportCount"
    static let value = "HealthAutoExportValue"
    static let name = "HealthAutoExportName"
}

/// Why an entry was not understood. The text names members of the document, never their values.
struct IngestMisfit: Error, Hashable, Sendable {
    let reason: String

    init(_ reason: String) { self.reason = reason }

    static let noObject = IngestMisfit("The entry is not an object.")
    static let noDate = IngestMisfit("“date” is missing or not a date.")
    static let noQuantity = IngestMisfit("“qty” is missing or not a number.")
    static let unit = IngestMisfit("The unit doesn’t fit the type.")
    static let dates = IngestMisfit("The end is before the start.")
    static let unknownName = IngestMisfit("The name is unknown.")
}
