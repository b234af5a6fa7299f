import HealthEngine
import HealthModel

/// Converts characteristics from and to their form in the `Me` element.
enum CharacteristicText {
    private static let sexes = ["Female": 1, "Male": 2, "Other": 3]
    private static let bloodTypes = [
        "APositive": 1, "ANegative": 2, "BPositive": 3, "BNegative": 4, "ABPositive": 5, "ABNegative": 6,
        "OPositive": 7, "ONegative": 8,
    ]
    private static let skinTypes = ["I": 1, "II": 2, "III": 3, "IV": 4, "V": 5, "VI": 6]
    private static let wheelchairUses = ["No": 1, "Yes": 2]
    private static let moveModes = ["ActiveEnergy": 1, "AppleMoveTime": 2]

    static func sex(_ text: String) -> Int? { value(text, "HKBiologicalSex", sexes) }
    static func bloodType(_ text: String) -> Int? { value(text, "HKBloodType", bloodTypes) }
    static func skinType(_ text: String) -> Int? { value(text, "HKFitzpatrickSkinType", skinTypes) }
    static func wheelchairUse(_ text: String) -> Int? { value(text, "HKWheelchairUse", wheelchairUses) }
    static func moveMode(_ text: String) -> Int? { value(text, "HKActivityMoveMode", moveModes) }
    /// Only option bits are understood; Apple writes `None` for a person without such medications.
    static func medicationsUse(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    static func day(_ text: String) -> Profile.Day? {
        guard let number = DateText.day(text) else { return nil }
        let (year, month, day) = CivilDate.date(dayNumber: number)
        return Profile.Day(year: year, month: month, day: day)
    }

    static func printSex(_ value: Int) -> String { print(value, "HKBiologicalSex", sexes) }
    static func printBloodType(_ value: Int) -> String { print(value, "HKBloodType", bloodTypes) }
    static func printSkinType(_ value: Int) -> String { print(value, "HKFitzpatrickSkinType", skinTypes) }
    static func printWheelchairUse(_ value: Int) -> String { print(value, "HKWheelchairUse", wheelchairUses) }
    static func printMoveMode(_ value: Int) -> String { print(value, "HKActivityMoveMode", moveModes) }

    static func print(_ day: Profile.Day) -> String {
        LocalClock.dayText(number: CivilDate.dayNumber(year: day.year, month: day.month, day: day.day))
    }

    /// Returns `prefix` and the value's name, or the number of a value without a name.
    private static func print(_ value: Int, _ prefix: String, _ values: [String: Int]) -> String {
        values.first { $0.value == value }.map { prefix + $0.key } ?? String(value)
    }

    /// Returns the raw value of a name with or without `prefix`, or of a number; `nil` for “not set”.
    private static func value(_ text: String, _ prefix: String, _ values: [String: Int]) -> Int? {
        if let number = Int(text) { return values.values.contains(number) ? number : nil }
        return values[text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text]
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
