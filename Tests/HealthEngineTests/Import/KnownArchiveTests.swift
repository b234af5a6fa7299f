import HealthEngine
import HealthModel
import Testing

/// An archive is known by its bytes only while all of it is certainly there.
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
        try store.engine.keepKnownArchive(archive)
        return store
    }

    @Test(arguments: TestStore.Backend.allCases)
    func isKnownUntilSomethingGoes(_ backend: TestStore.Backend) throws {
        let store = try imported(backend)
        #expect(try store.engine.knownArchive() == archive)
        // What is added takes nothing away.
        try store.engine.save([.sample(steps(3))], as: Names.phone)
        #expect(try store.engine.knownArchive() == archive)
        try store.engine.deleteObjects(of: Names.steps, matching: .all, as: Names.phone)
        #expect(try store.engine.knownArchive() == nil)
    }

    @Test func anotherImportIsForgottenFor() throws {
        let store = try imported()
        // An import that brings nothing changes nothing.
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(1)]))
        #expect(try store.engine.knownArchive() == archive)
        _ = try BulkImport(engine: store.engine).commit(BulkBatchBuilder.batch([steps(9)]))
        #expect(try store.engine.knownArchive() == nil)
    }

    @Test func aChangedProfileIsNoticed() throws {
        let store = try imported()
        try store.engine.updateProfile { $0.bloodType = 3 }
        #expect(try store.engine.knownArchive() == nil)
    }

    @Test func aNewStoreKnowsNone() throws {
        let store = try TestStore()
        #expect(try store.engine.knownArchive() == nil)
    }
}
