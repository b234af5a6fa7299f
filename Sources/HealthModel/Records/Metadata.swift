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

extension MetadataKey {
    /// The keys of what is only the form of an object in its archive. Objects that differ in nothing else are equal.
    package static let archivedForms: Set = [archivedDuration, archivedTotals, archivedOrder]
}
