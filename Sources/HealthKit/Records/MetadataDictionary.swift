import Foundation
import HealthEngine
import HealthModel

/// Metadata as applications see it: text as `String`, numbers and truth values as `NSNumber`, `Date`,
/// `HKQuantity`.
///
/// Numbers are `NSNumber` because only so do `as? Bool`, `as? Int` and `as? Double` all succeed on
/// Linux, as they do on Apple systems.
// Unchecked: the values are immutable, and the dictionary is never changed after init.
struct MetadataDictionary: @unchecked Sendable {
    let values: [String: Any]

    init(_ metadata: Metadata) {
        var values: [String: Any] = [:]
        values.reserveCapacity(metadata.entries.count)
        for entry in metadata.entries where values[entry.key] == nil {
            // What an import keeps beside the metadata is no part of it, nor is what a series says.
            if entry.key.hasPrefix(MetadataKey.archivedPrefix) { continue }
            if entry.key.hasPrefix(MetadataKey.seriesPrefix) { continue }
            values[entry.key] = Self.value(entry.value)
        }
        self.values = values
    }

    private static func value(_ value: MetadataValue) -> Any {
        switch value {
        case .string(let text): text
        case .bool(let truth): NSNumber(value: truth)
        case .integer(let number): NSNumber(value: number)
        case .double(let number): NSNumber(value: number)
        case .date(let seconds): Date(timeIntervalSinceReferenceDate: seconds)
        case .quantity(let number, let unit):
            // A unit that this version cannot parse comes out as it would stand in an archive.
            HKQuantity(number, unit: unit) ?? "\(number) \(unit)"
        }
    }
}

extension Metadata {
    /// The entries in the order of their keys.
    ///
    /// - Throws: `ValidationError` for a value that is no `String`, `NSNumber`, `Date` or `HKQuantity`.
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
}

extension MetadataValue {
    /// The value an application gave under `key`.
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
        // The two truth values are the only instances of their class, and an Int8 has the same
        // type letter, so identity decides.
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
