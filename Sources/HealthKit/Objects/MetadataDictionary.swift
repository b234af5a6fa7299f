import Foundation
import HealthEngine
import HealthModel

/// Metadata as applications see it: text as `String`, numbers and Booleans as `NSNumber`, `Date`,
/// `HKQuantity`.
///
/// Numbers are `NSNumber` because only then do `as? Bool`, `as? Int` and `as? Double` all succeed on
/// Linux, as they do on Apple systems.
// Unchecked: the values are immutable, and the dictionary is never changed after init.
struct MetadataDictionary: @unchecked Sendable {
    /// The values by key, without what the store keeps for itself.
    let values: [String: Any]
    init(_ metadata: Metadata) {
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

    /// The values as the original returns them: `nil` when there are none.
    var valuesOrNil: [String: Any]? { values.isEmpty ? nil : values }

    /// The values by key as in a property list, as the original prints them.
    static func text(of values: [String: Any]) -> String {
        let lines = values.sorted { $0.key < $1.key }.map { "    \(quoted($0.key)) = \(quoted("\($0.value)"));\n" }
        return "{\n" + lines.joined() + "}"
    }

    private static func quoted(_ text: String) -> String {
        let isWord =
            !text.isEmpty && text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || "._".contains($0)) }
        return isWord ? text : "\"" + text.replacing("\\", with: "\\\\").replacing("\"", with: "\\\"") + "\""
    }

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

extension MetadataDictionary {
    /// The record of metadata that an application passed, in the order of its keys.
    ///
    /// - Throws: `ValidationError` for a value that is not a `String`, `NSNumber`, `Date` or `HKQuantity`.
    static func record(of dictionary: [String: Any]?) throws(ValidationError) -> Metadata {
        guard let dictionary, !dictionary.isEmpty else { return .empty }
        var entries: [Metadata.Entry] = []
        entries.reserveCapacity(dictionary.count)
        for key in dictionary.keys.sorted() {
            guard let given = dictionary[key] else { continue }
            entries.append(Metadata.Entry(key: key, value: try value(given, key: key)))
        }
        return Metadata(entries)
    }

    private static func value(_ given: Any, key: String) throws(ValidationError) -> MetadataValue {
        switch given {
        case let text as String: return .string(text)
        case let quantity as HKQuantity: return .quantity(quantity.value, unit: quantity.unit.unitString)
        case let date as Date: return .date(date.timeIntervalSinceReferenceDate)
        case let number as NSNumber: return value(number)
        default:
            throw ValidationError(
                .metadataValue,
                reason: "Invalid class \(Swift.type(of: given)) for metadata key: \(key). "
                    + "Expected NSString, NSDate, NSNumber or HKQuantity.")
        }
    }

    private static func value(_ number: NSNumber) -> MetadataValue {
        // The two Booleans are the only instances of their class, and an Int8 has the same type
        // letter, so identity decides.
        if number === yes || number === no { return .bool(number.boolValue) }
        return switch UInt8(bitPattern: number.objCType.pointee) {
        case UInt8(ascii: "f"), UInt8(ascii: "d"): .double(number.doubleValue)
        case UInt8(ascii: "Q") where number.uint64Value > UInt64(Int64.max): .double(number.doubleValue)
        default: .integer(number.int64Value)
        }
    }

    private static let yes = NSNumber(value: true)
    private static let no = NSNumber(value: false)
}

extension Metadata {
    /// These entries with others over them, key by key, in the order of keys.
    func merging(_ others: Metadata) -> Metadata {
        guard !others.isEmpty else { return self }
        let unchanged = entries.filter { others[$0.key] == nil }
        return Metadata((unchanged + others.entries).sorted { $0.key < $1.key })
    }
}
