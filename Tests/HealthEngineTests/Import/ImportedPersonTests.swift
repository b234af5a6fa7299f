import HealthEngine
import Testing

struct ImportedPersonTests {
    private func person(_ year: Int? = nil, _ sex: Int? = nil, _ blood: Int? = nil) -> ImportedPerson {
        var profile = Profile()
        profile.dateOfBirth = year.map { Profile.Day(year: $0, month: 5, day: 4) }
        profile.biologicalSex = sex
        profile.bloodType = blood
        return ImportedPerson(profile)
    }

    @Test func onlyWhatBothGiveCanDiffer() {
        #expect(person(1980, 1, 2).differences(from: person(1980, 1, 2)) == [])
        #expect(person().differences(from: person(1980, 1, 2)) == [])
        #expect(person(1980).differences(from: person(nil, 1, 2)) == [])
        #expect(person(1981, 2, 2).differences(from: person(1980, 1)) == [.dateOfBirth, .biologicalSex])
        #expect(person(nil, nil, 3).differences(from: person(1980, 1, 2)) == [.bloodType])
    }

    @Test(arguments: TestStore.Backend.allCases)
    func theStoreRemembersWhatWasGivenLast(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let engine = store.engine
        #expect(try engine.importedPerson() == nil)
        try engine.keepImportedPerson(person(1980))
        try engine.keepImportedPerson(person(nil, 1))
        try engine.keepImportedPerson(person(1981, nil, 2))
        #expect(try engine.importedPerson() == person(1981, 1, 2))
    }
}
