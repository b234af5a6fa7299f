import Foundation
import HealthEngine
import HealthModel

/// Metadata as applications see it: text as `String`, numbers and Booleans as `NSNumber`, `Date`,
/// `HKQuantity`.
///
/// Numbers are `NSNumber` because only then do `as? Bool`, `as? Int` and `as? Double` all succeed on
/// Linux, as they do on Apple systems.
// Unchecked: the values are immutable, and the dictionary is never changed after init.
struct MetadataDictionary: @unchecked Sendable, Hashable {
    /// The values by key, without what the store keeps for itself.
    let values: [String: Any]
    /// The same as a store keeps it.
    let metadata: Metadata

    init(_ metadata: Metadata) {
        self.metadata = metadata
        var values: [String: Any] = [:]
        values.reserveCapacity(metadata.entries.count)
        for entry in metadata.entries where values[entry.key] == nil {
            // Keys of the archive importer and of series are internal.
            if entry.key.hasPrefix(MetadataKey.archivedPrefix) { continue }
            if entry.key.hasPrefix(MetadataKey.seriesPrefix) { continue }
            values[entry.key] = Self.value(entry.value)
        }
        self.values = values
    }

    /// The metadata that an application passed.
    ///
    /// - Throws: ``InvalidObjectError`` for a value that is not a `String`, `NSNumber`, `Date` or `HKQuantity`.
    init(_ given: [String: Any]?) throws(InvalidObjectError) {
        do {
            self.init(try Metadata(given))
        } catch {
            throw InvalidObjectError(reason: error.reason)
        }
    }

    /// The metadata that an application passed; a value of an unsupported class ends the process.
    static func checked(
        _ given: [String: Any]?, file: StaticString = #fileID, line: UInt = #line
    ) -> MetadataDictionary {
        MetadataDictionary(ProgrammerError.checkedMetadata(given, file: file, line: line))
    }

    static let empty = MetadataDictionary(Metadata.empty)

    /// The values as the original returns them: `nil` when there are none.
    var valuesOrNil: [String: Any]? { values.isEmpty ? nil : values }

    /// These values with others over them, key by key.
    func merging(_ others: MetadataDictionary) -> MetadataDictionary {
        others.metadata.isEmpty ? self : MetadataDictionary(metadata.merging(others.metadata))
    }

    static func == (left: MetadataDictionary, right: MetadataDictionary) -> Bool { left.metadata == right.metadata }

    func hash(into hasher: inout Hasher) { hasher.combine(metadata) }

    private static func value(_ value: MetadataValue) -> Any {
        switch value {
        case .string(let text): text
        case .bool(let truth): NSNumber(value: truth)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .quantity(let number, let unit):
            // A unit that this version cannot parse is given as text, as an archive writes it.
            HKQuantity(number, unit: unit) ?? "\(number) \(unit)"
        }
    }
}

// In an archive it is the record alone.
extension MetadataDictionary: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try Metadata(from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        try metadata.encode(to: encoder)
    }
}

extension Metadata {
    /// The entries in the order of their keys.
    ///
    /// - Throws: `ValidationError` for a value that is not a `String`, `NSNumber`, `Date` or `HKQuantity`.
    init(_ dictionary: [String: Any]?) throws(ValidationError) {
        guard let dictionary, !dictionary.isEmpty else {
            self = .empty
            return
        }
        var entries: [Entry] = []
        entries.reserveCapacity(dictionary.count)
        for key in dictionary.keys.sorted() {
            guard let given = dictionary[key] else { continue }
            entries.append(Entry(key: key, value: try MetadataValue(given, key: key)))
        }
        self.init(entries)
    }

    /// These entries with others over them, key by key, in the order of keys.
    func merging(_ others: Metadata) -> Metadata {
        guard !others.isEmpty else { return self }
        let kept = entries.filter { others[$0.key] == nil }
        return Metadata((kept + others.entries).sorted { $0.key < $1.key })
    }
}

extension MetadataValue {
    /// The value an application passed for `key`.
    init(_ given: Any, key: String) throws(ValidationError) {
        if let text = given as? String {
            self = .string(text)
        } else if let quantity = given as? HKQuantity {
            let record = quantity.record
            self = .quantity(record.value, unit: record.unit)
        } else if let date = given as? Date {
            self = .date(date.timeIntervalSinceReferenceDate)
        } else if let number = given as? NSNumber {
            self.init(number)
        } else {
            throw ValidationError(
                .metadataValue,
                reason: "Invalid class \(Swift.type(of: given)) for metadata key: \(key). "
                    + "Expected NSString, NSDate, NSNumber or HKQuantity.")
        }
    }

    private init(_ number: NSNumber) {
        // The two Booleans are the only instances of their class, and an Int8 has the same type
        // letter, so identity decides.
        if number === Self.yes || number === Self.no {
            self = .bool(number.boolValue)
            return
        }
        switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"):
            self = .double(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max):
            self = .double(number.doubleValue)
        default:
            self = .integer(number.int64Value)
        }
    }

    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)
}
