import HealthModel

/// A metadata value as the archive writes it, and back.
///
/// Predefined keys say what they hold. For others the text decides: a whole or decimal number in its
/// usual spelling, a number with a unit, a date; all else stays text. Where printing the value would
/// not give the text again, the text is kept beside it.
enum MetadataText {
    static func parse(key: String, text: String) -> Metadata.Entry {
        let value = value(key: key, text: text)
        return Metadata.Entry(key: key, value: value, archivedText: print(value, key: key) == text ? nil : text)
    }

    /// The text the archive has for a value.
    static func print(_ value: MetadataValue, key: String) -> String {
        switch value {
        case .string(let text): text
        case .bool(let flag): flag ? "1" : "0"
        case .integer(let number): String(number)
        case .double(let number): NumberText.print(number)
        case .date(let instant): DateText.print(instant)
        // Apple prints a percentage times a hundred; its humidity was that much too great before.
        case .quantity(let number, "%"):
            NumberText.print(key == humidity ? number * 10_000 : number * 100) + " %"
        case .quantity(let number, let unit): NumberText.print(number) + " " + unit
        }
    }

    private static let humidity = "HKWeatherHumidity"

    private static func value(key: String, text: String) -> MetadataValue {
        switch MetadataKind.of(key) {
        case .string: return .string(text)
        case .number: return number(text) ?? .string(text)
        case .date: return DateText.parse(text).map(MetadataValue.date) ?? .string(text)
        case .quantity: return quantity(key, text) ?? number(text) ?? .string(text)
        case nil:
            // A number in an unusual spelling (007, 1e3) is a name or code that looks like one.
            if let number = number(text), print(number, key: key) == text { return number }
            if let quantity = quantity(key, text), print(quantity, key: key) == text { return quantity }
            return DateText.parse(text).map(MetadataValue.date) ?? .string(text)
        }
    }

    private static func number(_ text: String) -> MetadataValue? {
        if let whole = Int64(text), text.utf8.first != UInt8(ascii: "+") { return .integer(whole) }
        guard let number = NumberText.parse(text), number.isFinite else { return nil }
        return .double(number)
    }

    private static func quantity(_ key: String, _ text: String) -> MetadataValue? {
        guard let blank = text.utf8.firstIndex(of: UInt8(ascii: " ")),
            let number = NumberText.parse(String(text[..<blank])), number.isFinite
        else { return nil }
        let unit = String(text[text.index(after: blank)...])
        if unit == "%" {
            // Archives exist with the humidity as it should be; none is above a hundred per cent then.
            let isTooGreat = key == humidity && number > 100
            return .quantity(number / (isTooGreat ? 10_000 : 100), unit: unit)
        }
        guard !unit.isEmpty, (try? UnitExpression(parsing: unit)) != nil else { return nil }
        return .quantity(number, unit: unit)
    }
}
