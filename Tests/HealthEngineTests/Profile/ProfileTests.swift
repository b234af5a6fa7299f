import HealthEngine
import HealthModel
import Testing

struct ProfileTests {
    @Test(arguments: TestStore.Backend.allCases)
    func isKeptAndChanged(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        #expect(try store.engine.profile.read() == Profile())
        try store.engine.profile.update { profile in
            profile.dateOfBirth = Profile.Day(year: 1980, month: 2, day: 29)
            profile.biologicalSex = 1
            profile.preferredUnits["HKQuantityTypeIdentifierBodyMass"] = "lb"
            profile.goals = [
                ActivityGoals(from: Profile.Day(year: 2024, month: 6, day: 1), moveEnergy: 600),
                ActivityGoals(from: Profile.Day(year: 2023, month: 1, day: 1), moveEnergy: 500, stand: 12),
            ]
        }
        let profile = try store.engine.profile.read()
        #expect(profile.dateOfBirth?.number == 19_800_229)
        #expect(profile.biologicalSex == 1)
        #expect(profile.preferredUnits == ["HKQuantityTypeIdentifierBodyMass": "lb"])
        #expect(profile.goals.map(\.moveEnergy) == [500, 600])
    }

    @Test func aChangeThatThrowsChangesNothing() throws {
        struct Refusal: Error {}
        let store = try TestStore()
        try store.engine.profile.update { $0.bloodType = 3 }
        #expect(throws: Refusal.self) {
            try store.engine.profile.update { profile in
                profile.bloodType = 4
                throw Refusal()
            }
        }
        #expect(try store.engine.profile.read().bloodType == 3)
    }
}
