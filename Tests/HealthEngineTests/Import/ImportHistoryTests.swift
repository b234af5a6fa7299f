import HealthEngine
import HealthImport
import HealthModel
import Testing

/// An archive is recognized by its bytes only while all of it is certainly there.
struct KnownArchiveTests {
    private let archive = KnownArchive(
        fingerprint: "12-ab", reader: 1, counts: ["HKQuantityTypeIdentifierStepCount": 2], summary: "{}")
    private let phone = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "archive.Phone", name: "Phone"))

    private func steps(_ start: Double) -> SampleRecord {
        SampleRecord(type: Names.steps, start: start, end: start + 60, value: 1, unit: "count", revision: phone)
    }

    private func imported(_ backend: TestStore.Backend = .memory) throws -> TestStore {
        let store = try TestStore(backend)
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(1), steps(2)]))
        try store.engine.imports.setKnownArchive(archive)
        return store
    }

    @Test(arguments: TestStore.Backend.allCases)
    func isKnownUntilASampleIsDeleted(_ backend: TestStore.Backend) throws {
        let store = try imported(backend)
        #expect(try store.engine.imports.knownArchive() == archive)
        // What is added takes nothing away.
        try store.engine.save([.sample(steps(3))], as: Names.phone)
        #expect(try store.engine.imports.knownArchive() == archive)
        try store.engine.deleteObjects(of: Names.steps, matching: .all, as: Names.phone)
        #expect(try store.engine.imports.knownArchive() == nil)
    }

    @Test func anotherImportIsForgottenFor() throws {
        let store = try imported()
        // An import that brings nothing changes nothing.
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(1)]))
        #expect(try store.engine.imports.knownArchive() == archive)
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(9)]))
        #expect(try store.engine.imports.knownArchive() == nil)
    }

    @Test func aChangedProfileIsNoticed() throws {
        let store = try imported()
        try store.engine.profile.update { $0.bloodType = 3 }
        #expect(try store.engine.imports.knownArchive() == nil)
    }

    @Test func newStoreHasNoImports() throws {
        let store = try TestStore()
        #expect(try store.engine.imports.knownArchive() == nil)
    }
}

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
        #expect(try engine.imports.person() == nil)
        try engine.imports.updatePerson(person(1980))
        try engine.imports.updatePerson(person(nil, 1))
        try engine.imports.updatePerson(person(1981, nil, 2))
        #expect(try engine.imports.person() == person(1981, 1, 2))
    }
}

@Suite("Reports of imports")
struct ImportReportHistoryTests {
    @Test("The last reports are kept, the newest first", arguments: TestStore.Backend.allCases)
    func newestFirst(_ backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let count = ImportHistory.maximumReports + 5
        for number in 0..<count { try store.engine.imports.addReport(Array("\(number)".utf8)) }
        let reports = try store.engine.imports.reports().map { String(decoding: $0.report, as: UTF8.self) }
        #expect(reports == (5..<count).reversed().map { "\($0)" })
    }
}
