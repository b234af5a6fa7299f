/// The metadata of a sample or object: keys and values in their original order.
package struct Metadata: Hashable, Sendable, Codable {
    /// A key and its value.
    package struct Entry: Hashable, Sendable, Codable {
        /// The key's raw string, such as `HKWasUserEntered`.
        package var key: String
        /// The key's value.
        package var value: MetadataValue
        /// The value's text in the archive it came from, if printing ``value`` would not reproduce it.
        package var archivedText: String?

        /// Creates an entry.
        package init(key: String, value: MetadataValue, archivedText: String? = nil) {
            self.key = key
            self.value = value
            self.archivedText = archivedText
        }
    }

    /// The entries in order. An archive may repeat a key; the subscript returns its first value.
    package var entries: [Entry]

    /// Creates metadata from entries, keeping their order.
    package init(_ entries: [Entry] = []) {
        self.entries = entries
    }

    /// No entries.
    package static let empty = Metadata()

    /// A Boolean value that indicates whether there are no entries.
    package var isEmpty: Bool { entries.isEmpty }

    /// The value of the first entry with this key.
    package subscript(key: String) -> MetadataValue? {
        entries.first { $0.key == key }?.value
    }

    /// Sets the value of a key where it stands, else at the end; `nil` removes the key.
    package mutating func set(_ key: String, _ value: MetadataValue?) {
        let place = entries.firstIndex { $0.key == key } ?? entries.endIndex
        entries.removeAll { $0.key == key }
        if let value { entries.insert(Entry(key: key, value: value), at: min(place, entries.endIndex)) }
    }

    /// A Boolean value that indicates whether the sample was typed in by a person (`HKWasUserEntered`).
    package var wasUserEntered: Bool {
        self[MetadataKey.wasUserEntered]?.number.map { $0 != 0 } ?? false
    }
}

/// A metadata value of a kind that an app may store: a string, number, date or quantity.
package enum MetadataValue: Hashable, Sendable {
    /// A string.
    case string(String)
    /// A number given as a Boolean.
    case bool(Bool)
    /// A whole number.
    case integer(Int64)
    /// Any other number.
    case double(Double)
    /// Seconds since 2001-01-01 00:00:00 UTC.
    case date(Double)
    /// A value and its unit string.
    case quantity(Double, unit: String)

    /// The value as a number (a Boolean as 0 or 1), or `nil` if it is not a number.
    package var number: Double? {
        switch self {
        case .bool(let value): value ? 1 : 0
        case .integer(let value): Double(value)
        case .double(let value): value
        case .string, .date, .quantity: nil
        }
    }
}

extension MetadataValue: Codable {
    package func encode(to encoder: any Encoder) throws {
        switch self {
        case .string(let value): try encoder.encode(case: "string", value)
        case .bool(let value): try encoder.encode(case: "bool", value)
        case .integer(let value): try encoder.encode(case: "integer", value)
        case .double(let value): try encoder.encode(case: "double", value)
        case .date(let value): try encoder.encode(case: "date", value)
        case .quantity(let value, let unit): try encoder.encode(case: "quantity", value, unit)
        }
    }

    package init(from decoder: any Decoder) throws {
        var values = try decoder.decodeCase()
        switch values.name {
        case "string": self = .string(try values.next())
        case "bool": self = .bool(try values.next())
        case "integer": self = .integer(try values.next())
        case "double": self = .double(try values.next())
        case "date": self = .date(try values.next())
        case "quantity": self = .quantity(try values.next(), unit: try values.next())
        default: throw values.unknown
        }
    }
}

/// The metadata keys that the engine itself interprets.
package enum MetadataKey {
    /// True for a sample that was typed in by a person.
    package static let wasUserEntered = "HKWasUserEntered"
    /// The name of the time zone in which the sample was taken, such as `Europe/Berlin`.
    package static let timeZone = "HKTimeZone"
    /// An app's own identifier of a sample. A newer version with the same identifier replaces the sample.
    package static let syncIdentifier = "HKMetadataKeySyncIdentifier"
    /// The version of a sample with a sync identifier.
    package static let syncVersion = "HKMetadataKeySyncVersion"
    /// Whether a menstrual flow sample begins a cycle; required for such samples.
    package static let menstrualCycleStart = "HKMenstrualCycleStart"
    /// Why insulin was given, basal 1 or bolus 2; required for insulin samples.
    package static let insulinDeliveryReason = "HKInsulinDeliveryReason"

    /// The prefix of the keys under which an import keeps what an archive contains besides metadata: the beats
    /// of a heart rate variability sample, unknown attributes and elements. They are written again on export
    /// and are hidden from apps.
    package static let archivedPrefix = "_archived."

    /// The key of a corrected workout under which it keeps what it was; see `OriginalWorkout`.
    package static let archivedOriginal = "_archived.original"

    /// The keys of what is only the form of an object in its archive. Objects that differ in nothing else are equal.
    package static let archivedForms: Set = [archivedDuration, archivedTotals, archivedOrder]
    /// The original texts of a duration and its unit.
    package static let archivedDuration = "_archived.duration"
    /// The names of the attributes of a workout's totals.
    package static let archivedTotals = "_archived.totals"
    /// The types of a correlation's members in their order.
    package static let archivedOrder = "_archived.order"

    /// The prefix of the keys that summarize the quantities of a series sample. They are hidden from apps.
    package static let seriesPrefix = "_series."
    /// The number of quantities.
    package static let seriesCount = "_series.count"
    /// The minimum quantity, in the sample's unit.
    package static let seriesMinimum = "_series.minimum"
    /// The maximum quantity, in the sample's unit.
    package static let seriesMaximum = "_series.maximum"
    /// The most recent quantity, in the sample's unit.
    package static let seriesLatest = "_series.latest"
    /// The start of the most recent quantity, in seconds since 2001-01-01 00:00:00 UTC.
    package static let seriesLatestStart = "_series.latestStart"
    /// The end of the most recent quantity, in seconds since 2001-01-01 00:00:00 UTC.
    package static let seriesLatestEnd = "_series.latestEnd"
}
