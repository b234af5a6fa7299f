import HealthEngine
import HealthModel

/// The person's characteristics as the `Me` element writes them.
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
    /// Only option bits are understood; `None` is what Apple writes for a person who takes none.
    static func medicationsUse(_ text: String) -> Int? { Int(text).flatMap { $0 > 0 ? $0 : nil } }

    static func day(_ text: String) -> Profile.Day? {
        guard let number = DateText.parseDay(text) else { return nil }
        let (year, month, day) = CivilDate.date(dayNumber: number)
        return Profile.Day(year: year, month: month, day: day)
    }

    /// The raw value of `prefix` + name, of the bare name, or of a number; `nil` for “not set”.
    private static func value(_ text: String, _ prefix: String, _ values: [String: Int]) -> Int? {
        if let number = Int(text) { return values.values.contains(number) ? number : nil }
        return values[text.hasPrefix(prefix) ? String(text.dropFirst(prefix.count)) : text]
    }
}
