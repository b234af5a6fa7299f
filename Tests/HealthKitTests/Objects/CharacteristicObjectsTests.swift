// Deliberately no import of Foundation: HealthKit brings it.
import HealthKit
import Testing

@Suite struct CharacteristicObjectTests {
    private func archived<Object: NSObject & NSSecureCoding>(_ object: Object) throws -> Object? {
        let data = try NSKeyedArchiver.archivedData(withRootObject: object, requiringSecureCoding: true)
        return try NSKeyedUnarchiver.unarchivedObject(ofClass: Object.self, from: data)
    }

    @Test func comeBackFromAnArchive() throws {
        let sex = HKBiologicalSexObject(.female)
        #expect(try archived(sex) == sex)
        #expect(try archived(sex)?.biologicalSex == .female)
        let blood = HKBloodTypeObject(.abNegative)
        #expect(try archived(blood)?.bloodType == .abNegative)
        let skin = HKFitzpatrickSkinTypeObject(.IV)
        #expect(try archived(skin)?.skinType == .IV)
        let chair = HKWheelchairUseObject(.yes)
        #expect(try archived(chair)?.wheelchairUse == .yes)
        let mode = HKActivityMoveModeObject(.appleMoveTime)
        #expect(try archived(mode)?.activityMoveMode == .appleMoveTime)
    }

    @Test func equality() {
        #expect(HKBloodTypeObject(.oPositive) == HKBloodTypeObject(.oPositive))
        #expect(HKBloodTypeObject(.oPositive).hash == HKBloodTypeObject(.oPositive).hash)
        #expect(HKBloodTypeObject(.oPositive) != HKBloodTypeObject(.notSet))
        #expect(HKBiologicalSexObject(.male).copy() as? HKBiologicalSexObject == HKBiologicalSexObject(.male))
    }
}
