import HealthEngine
import HealthFiles
import HealthModel

/// Converts metadata values from and to their form in the archive.
///
/// A predefined key determines the kind of its value. For other keys the text does: a number in its usual form, a
/// number with a unit, or a date; anything else remains text. If printing the value would not reproduce the text, the
/// text is kept with the value.
enum MetadataText {
    static func parse(key: String, text: String) -> Metadata.Entry {
        let value = value(key: key, text: text)
        return Metadata.Entry(key: key, value: value, archivedText: print(value, key: key) == text ? nil : text)
    }

    /// Returns the text of a value in the archive.
    static func print(_ value: MetadataValue, key: String) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): DecimalText.print(number)
        case .date(let instant): ArchiveDate.print(instant)
        // Apple prints percentages multiplied by 100, and humidity by another 100.
        case .quantity(let number, "%"):
            DecimalText.print(key == humidity ? number * 10_000 : number * 100) + " %"
        case .quantity(let number, let unit): DecimalText.print(number) + " " + unit
        }
    }

    private static let humidity = "HKWeatherHumidity"

    private static func value(key: String, text: String) -> MetadataValue {
        switch MetadataRules.expectations[key] {
        case .string: return .string(text)
        case .number, .value, .activity: return number(text) ?? .string(text)
        case .date: return ArchiveDate.parse(text).map(MetadataValue.date) ?? .string(text)
        case .quantity: return quantity(key, text) ?? number(text) ?? .string(text)
        // A quantity of which the unit isn't documented.
        case nil where key == "HKMetadataKeyHeadphoneGain": return quantity(key, text) ?? number(text) ?? .string(text)
        case nil:
            // A number in an unusual form (007, 1e3) is a name or code.
            if let number = number(text), print(number, key: key) == text { return number }
            if let quantity = quantity(key, text), print(quantity, key: key) == text { return quantity }
            return ArchiveDate.parse(text).map(MetadataValue.date) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> MetadataValue? {
        if let whole = Int64(text), text.utf8.first != UInt8(ascii: "+") { return .integer(whole) }
        guard let number = DecimalText.parse(text), number.isFinite else { return nil }
        return .double(number)
    }

    private static func quantity(_ key: String, _ text: String) -> MetadataValue? {
        guard let blank = text.utf8.firstIndex(of: UInt8(ascii: " ")),
            let number = DecimalText.parse(String(text[..<blank])), number.isFinite
        else { return nil }
        let unit = String(text[text.index(after: blank)...])
        if unit == "%" {
            // Some archives have the correct humidity, which is at most 100 percent.
            let isMultiplied = key == humidity && number > 100
            return .quantity(number / (isMultiplied ? 10_000 : 100), unit: unit)
        }
        guard !unit.isEmpty, (try? UnitExpression(parsing: unit)) != nil else { return nil }
        return .quantity(number, unit: unit)
    }
}
