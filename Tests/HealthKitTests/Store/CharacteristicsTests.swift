import Foundation
import HealthEngine
import Testing

@testable import HealthKit

@Suite struct CharacteristicsTests {
    @Test func returnsKnownCharacteristics() throws {
        let store = FreshStore.make(zone: "Europe/Berlin")
        try store.connection.engine().profile.update { profile in
            profile.dateOfBirth = .init(year: 1980, month: 2, day: 29)
            profile.biologicalSex = HKBiologicalSex.female.rawValue
            profile.bloodType = HKBloodType.abNegative.rawValue
            profile.fitzpatrickSkinType = HKFitzpatrickSkinType.III.rawValue
            profile.wheelchairUse = HKWheelchairUse.no.rawValue
            profile.activityMoveMode = HKActivityMoveMode.appleMoveTime.rawValue
        }
        let birth = try store.dateOfBirthComponents()
        #expect([birth.era, birth.year, birth.month, birth.day] == [1, 1980, 2, 29])
        #expect(birth.hour == nil)
        #expect(birth.calendar?.identifier == .gregorian)
        #expect(try store.biologicalSex().biologicalSex == .female)
        #expect(try store.bloodType().bloodType == .abNegative)
        #expect(try store.fitzpatrickSkinType().skinType == .III)
        #expect(try store.wheelchairUse().wheelchairUse == .no)
        #expect(try store.activityMoveMode().activityMoveMode == .appleMoveTime)
    }

    /// Unlike other characteristics, the reference sex throws if it may not be read.
    @Test func theReferenceSex() async throws {
        let store = FreshStore.make()
        #expect(try store.referenceSex == .notSet)
        try store.connection.engine().profile.update { $0.referenceSex = HKReferenceSex.male.rawValue }
        #expect(try store.referenceSex == .male)
        #expect(try store.biologicalSex().biologicalSex == .notSet)
        let asking = FreshStore.make(authorization: .handler { _ in .none })
        #expect(#expect(throws: HKError.self) { try asking.referenceSex }?.code == .errorAuthorizationNotDetermined)
        try await asking.requestAuthorization(toShare: [], read: [HKCharacteristicType(.referenceSex)])
        #expect(#expect(throws: HKError.self) { try asking.referenceSex }?.code == .errorAuthorizationDenied)
    }

    @available(*, deprecated)
    @Test func theOlderDateOfBirthIsMidnight() throws {
        let store = FreshStore.make(zone: "Europe/Berlin")
        try store.connection.engine().profile.update { $0.dateOfBirth = .init(year: 1980, month: 2, day: 29) }
        let midnight = try #require(
            FreshStore.calendar("Europe/Berlin").date(from: DateComponents(year: 1980, month: 2, day: 29)))
        #expect(try store.dateOfBirth() == midnight)
    }

    @Test func unknownCharacteristicsStayUnset() throws {
        let store = FreshStore.make()
        let error = #expect(throws: HKError.self) { try store.dateOfBirthComponents() }
        #expect(error?.code == .errorNoData)
        #expect(try store.biologicalSex().biologicalSex == .notSet)
        #expect(try store.bloodType().bloodType == .notSet)
        #expect(try store.fitzpatrickSkinType().skinType == .notSet)
        #expect(try store.wheelchairUse().wheelchairUse == .notSet)
        #expect(try store.activityMoveMode().activityMoveMode == .activeEnergy)
    }

    @Test func unreadableCharacteristicsAreNotSet() async throws {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        try store.connection.engine().profile.update { $0.biologicalSex = HKBiologicalSex.male.rawValue }
        try await store.requestAuthorization(toShare: [], read: [HKCharacteristicType(.biologicalSex)])
        #expect(try store.biologicalSex().biologicalSex == .notSet)
    }

    @Test func characteristicsNeverRequestedFail() throws {
        let store = FreshStore.make(authorization: .handler { _ in .none })
        let error = #expect(throws: HKError.self) { try store.bloodType() }
        #expect(error?.code == .errorAuthorizationNotDetermined)
    }
}
