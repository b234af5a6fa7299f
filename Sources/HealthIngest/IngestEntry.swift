import HealthEngine
package import HealthJSON
import HealthModel

/// An entry of a posted document: a sample or object to save, and how it is recognized when it is posted
/// again.
struct IngestEntry: Sendable {
    /// The sample, or the object with its members.
    var item: SaveItem
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

    private var place: (type: TypeCode, start: Double, end: Double) {
        switch item {
        case .sample(let sample): (sample.type, sample.start, sample.end)
        case .object(let object): (object.type, object.start, object.end)
        }
    }

    /// The type that the caller must be allowed to write.
    var type: TypeCode { place.type }
    var start: Double { place.start }
    var end: Double { place.end }
}

extension IngestEntry {
    /// Checks what the engine would check, so that one entry doesn't stop a batch.
    ///
    /// - Parameter usual: The type that most entries of a batch have.
    /// - Throws: ``IngestEntryError`` with the rule that is violated.
    func validate(as usual: TypeDescription? = nil) throws(IngestEntryError) {
        switch item {
        case .sample(let sample): try Self.validate(sample, usual)
        case .object(let object):
            let type = try Self.description(object.type, usual)
            do {
                try RecordValidation.validate(object, description: type)
            } catch {
                throw IngestEntryError(error.description)
            }
            for member in object.members { try Self.validate(member, nil) }
        }
    }

    private static func validate(_ sample: SampleRecord, _ usual: TypeDescription?) throws(IngestEntryError) {
        let type = try description(sample.type, usual)
        do {
            try RecordValidation.validate(sample, description: type)
        } catch {
            throw IngestEntryError(error.description)
        }
    }

    private static func description(
        _ type: TypeCode, _ usual: TypeDescription?
    ) throws(IngestEntryError) -> TypeDescription {
        guard let known = usual?.code == type ? usual : TypeCatalog.description(for: type) else { throw .unknownName }
        return known
    }
}

/// A workout, to be saved with its route and the heart rates that aren't stored as samples.
struct IngestWorkout {
    /// The workout with its route among the parts.
    var entry: IngestEntry
    /// Heart rates during the workout, and those after its end that a known defect of Health Auto Export includes.
    var during: [IngestEntry] = []
    var after: [IngestEntry] = []
    /// The ratings of its effort, which the workout is related to.
    var efforts: [IngestEntry] = []
    /// The name, if it is not that of a known activity.
    var unknownName: String?
}

/// The period that a summarized entry covers. Raw values are stored in metadata.
package enum IngestAggregation: String, Sendable {
    case minute, hour, day, week, month, year
    /// A summary of an unknown period.
    case unspecified
    /// A series inside a workout, which yields to samples and summaries of its own type.
    case workout

    /// Reads the header `automation-aggregation`. The outer `nil` is an unknown word, the inner one no aggregation.
    package static func header(_ text: String?) -> IngestAggregation?? {
        guard let text, !text.isEmpty else { return nil }
        // “daily” has no day in it.
        let word = text.lowercased().replacing("dai", with: "day")
        let periods = [IngestAggregation.minute, .hour, .day, .week, .month, .year]
        if let period = periods.first(where: { word.contains($0.rawValue) }) { return .some(.some(period)) }
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
    /// The key of the value that distinguishes a summary of several samples, such as the day of a night.
    static let key = "HealthAutoExportSummary"
    /// The minimum and maximum of the period, quantities.
    static let minimum = "HealthAutoExportMinimum"
    static let maximum = "HealthAutoExportMaximum"
    /// How many events one sample represents, and the words of the entry that HealthKit has no value for.
    static let count = "HealthAutoExportCount"
    static let value = "HealthAutoExportValue"
    static let name = "HealthAutoExportName"
}

extension JSONValue {
    /// The name of an entry's source, which is a text or an object.
    var sourceName: String? { self["source"]?.text ?? self["source"]?["name"]?.text }
}

/// Receives an entry that was not understood, with its path in the document, and the name and unit given with it.
package typealias UnreadEntries = (_ entry: JSONValue, _ path: String, _ name: String?, _ unit: String?) -> Void

/// Why a body can’t be read. The text contains nothing of it.
package struct IngestBodyError: Error, Hashable, Sendable {
    /// The kind of the problem.
    package enum Kind: Sendable {
        case parameters, form, size
    }

    package let kind: Kind
    package let reason: String
}

/// Why an entry was not understood. The text names members of the document, never their values.
package struct IngestEntryError: Error, Hashable, Sendable {
    package let reason: String

    init(_ reason: String) { self.reason = reason }

    static let noObject = IngestEntryError("The entry is not an object.")
    static let noDate = IngestEntryError("“date” is missing or not a date.")
    static let noQuantity = IngestEntryError("“qty” is missing or not a number.")
    static let unit = IngestEntryError("The unit doesn’t fit the type.")
    static let dates = IngestEntryError("The end is before the start.")
    static let unknownName = IngestEntryError("The name is unknown.")
}
