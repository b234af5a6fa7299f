import HealthEngine
import HealthModel

/// The attributes of the `Me` element, and the profile's fields they fill.
enum PersonReader {
    private static let prefix = "HKCharacteristicTypeIdentifier"

    /// Whether an attribute is a characteristic with a value; “not set” is none.
    static func sets(_ attribute: ArchivedElement.Attribute) -> Bool {
        var empty = Profile()
        return enter(attribute, into: &empty)
    }

    /// Fills the field the attribute is for, where it is empty; whether it did.
    static func enter(_ attribute: ArchivedElement.Attribute, into profile: inout Profile) -> Bool {
        guard attribute.name.hasPrefix(prefix) else { return false }
        let text = attribute.value
        switch attribute.name.dropFirst(prefix.count) {
        case "DateOfBirth": return fill(&profile.dateOfBirth, CharacteristicText.day(text))
        case "BiologicalSex": return fill(&profile.biologicalSex, CharacteristicText.sex(text))
        case "BloodType": return fill(&profile.bloodType, CharacteristicText.bloodType(text))
        case "FitzpatrickSkinType": return fill(&profile.fitzpatrickSkinType, CharacteristicText.skinType(text))
        case "WheelchairUse": return fill(&profile.wheelchairUse, CharacteristicText.wheelchairUse(text))
        case "ActivityMoveMode": return fill(&profile.activityMoveMode, CharacteristicText.moveMode(text))
        case "CardioFitnessMedicationsUse":
            return fill(&profile.cardioFitnessMedicationsUse, CharacteristicText.medicationsUse(text))
        default: return false
        }
    }

    /// What the attributes say of whose archive it is.
    static func person(_ attributes: [ArchivedElement.Attribute]) -> ImportedPerson {
        var profile = Profile()
        for attribute in attributes { _ = enter(attribute, into: &profile) }
        return ImportedPerson(profile)
    }

    private static func fill<Value>(_ field: inout Value?, _ value: Value?) -> Bool {
        guard field == nil, let value else { return false }
        field = value
        return true
    }
}
