import HealthEngine
import HealthModel

/// The `Me` element: the twin of ``PersonReader``.
enum PersonWriter {
    private static let prefix = "HKCharacteristicTypeIdentifier"
    static func write(_ profile: Profile, notes: [String: String]) -> ArchivedElement {
        var element = ArchivedElement(name: HeadNotes.person)
        func add(_ name: String, _ value: String?, otherwise: String? = nil) {
            element.append(prefix + name, value ?? notes["\(HeadNotes.person).\(prefix)\(name)"] ?? otherwise)
        }
        add("DateOfBirth", profile.dateOfBirth.map(CharacteristicText.print), otherwise: "")
        add("BiologicalSex", profile.biologicalSex.map(CharacteristicText.printSex), otherwise: "HKBiologicalSexNotSet")
        add("BloodType", profile.bloodType.map(CharacteristicText.printBloodType), otherwise: "HKBloodTypeNotSet")
        add(
            "FitzpatrickSkinType", profile.fitzpatrickSkinType.map(CharacteristicText.printSkinType),
            otherwise: "HKFitzpatrickSkinTypeNotSet")
        add("CardioFitnessMedicationsUse", profile.cardioFitnessMedicationsUse.map { String($0) }, otherwise: "None")
        // Apple leaves these two out; a person who has them should not lose them.
        add("WheelchairUse", profile.wheelchairUse.map(CharacteristicText.printWheelchairUse))
        add("ActivityMoveMode", profile.activityMoveMode.map(CharacteristicText.printMoveMode))
        HeadNotes.complete(&element, from: notes)
        return element
    }
}
