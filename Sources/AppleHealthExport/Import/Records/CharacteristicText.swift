import HealthEngine
import HealthModel

/// Converts the values of a characteristic from and to their names in the `Me` element.
struct CharacteristicNames {
    let prefix: String
    /// The raw values by name.
    let values: [String: Int]

    /// Returns `prefix` and the value's name, or the number of a value without a name.
    func text(_ value: Int) -> String {
        values.first { $0.value == value }.map { prefix + $0.key } ?? String(value)
    }

    /// Returns the raw value of a name with or without `prefix`, or of a number; `nil` for “not set”.
    func value(_ text: String) -> Int? {
        if let number = Int(text) { return values.values.contains(number) ? number : nil }
        return values[text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text]
    }
}

/// Converts other characteristics from and to their form in the `Me` element.
enum CharacteristicText {
    /// Only option bits are understood; Apple writes `None` for a person without such medications.
    static func medicationsUse(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    static func day(_ text: String) -> Profile.Day? {
        guard let number = DateText.day(text) else { return nil }
        let (year, month, day) = CivilDate.date(dayNumber: number)
        return Profile.Day(year: year, month: month, day: day)
    }

    static func print(_ day: Profile.Day) -> String {
        LocalClock.dayText(number: CivilDate.dayNumber(year: day.year, month: day.month, day: day.day))
    }
}

/// Converts the type of a vision prescription. No archive of Apple's with one is known, so the type's name in any case,
/// with or without the enumeration's name, and the raw value are accepted.
enum VisionPrescriptionTypeText {
    private static let enumeration = "hkvisionprescriptiontype"

    static func rawValue(of text: String) -> Int64? {
        let text = text.lowercased()
        switch text.hasPrefix(enumeration) ? String(text.dropFirst(enumeration.count)) : text {
        case "glasses", "1": return VisionPrescriptionDocument.glasses
        case "contacts", "2": return VisionPrescriptionDocument.contacts
        default: return nil
        }
    }

    static func print(_ rawValue: Int64) -> String {
        switch rawValue {
        case VisionPrescriptionDocument.glasses: "Glasses"
        case VisionPrescriptionDocument.contacts: "Contacts"
        default: String(rawValue)
        }
    }
}
