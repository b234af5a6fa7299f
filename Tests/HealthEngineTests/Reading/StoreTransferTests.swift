import Foundation
import HealthModel
import HealthImport
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import StorageContract
import Testing

@testable import HealthEngine

/// Moving a person from one backend to another.
@Suite struct StoreTransferTests {
    @Test(arguments: TestStore.Backend.allCases, TestStore.Backend.allCases)
    func aCopyIsTheSameStore(_ from: TestStore.Backend, _ to: TestStore.Backend) throws {
        let source = try TestStore(from, pageCapacity: 16)
        var program = RandomProgramState(engine: source.engine, seed: 11)
        for _ in 0..<150 { try program.step() }
        try source.engine.profile.update { $0.bloodType = 3 }
        let destination = try TestStore(to)
        // A store that has been opened is not empty: it is copied to one that is new.
        let storage = try destination.emptyStorage()
        var last = 0
        let report = try StoreTransfer.copy(from: source.engine.storage, to: storage) { last = $0 }
        #expect(report.samples > 0 && report.samples == last)
        let stores: [any HealthStorage] = [source.engine.storage, storage]
        let all = try stores.map { try $0.read { try Everything($0) } }
        #expect(all[0].contents.differences(from: all[1].contents) == [])
        #expect(all[0].identity == all[1].identity)
        #expect(all[0].identities == all[1].identities && all[0].syncs == all[1].syncs)
        #expect(all[0].settings == all[1].settings && !all[0].settings.isEmpty)
        // The copy continues like the store that it was copied from.
        let engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(pageCapacity: 16, now: { 0 }))
        #expect(try engine.check() == [])
        #expect(try engine.lastSequence() == source.engine.lastSequence())
        // It is not copied over.
        #expect(throws: EngineError.self) { try StoreTransfer.copy(from: source.engine.storage, to: storage) }
    }

    @Test func anInterruptedCopyLeavesNothing() throws {
        let source = try TestStore(.memory, pageCapacity: 16)
        var program = RandomProgramState(engine: source.engine, seed: 12)
        for _ in 0..<60 { try program.step() }
        let storage = FaultStorage(try TestStore(.postgreSQL).emptyStorage())
        storage.inject(Fault(at: .write, after: 20))
        #expect(throws: StorageError.self) { try StoreTransfer.copy(from: source.engine.storage, to: storage) }
        storage.inject(nil)
        #expect(try storage.read { try $0.lastSequence() } == 0)
        #expect(try StoreTransfer.copy(from: source.engine.storage, to: storage).samples > 0)
    }
}

/// The contents of a store, also those that can only be enumerated.
private struct Everything {
    var contents: StorageContents
    var identity: StoreIdentity
    var identities: [UUID: StoredIdentity] = [:]
    var syncs: Set<StoredSync> = []
    var settings: [String: [String: [UInt8]]] = [:]

    init(_ snapshot: any StorageSnapshot) throws {
        contents = try StorageContents(of: snapshot)
        identity = try snapshot.identity()
        try snapshot.visitIdentities {
            identities[$0] = $1
            return true
        }
        try snapshot.visitSyncs {
            syncs.insert($0)
            return true
        }
        for namespace in try snapshot.namespaces() { settings[namespace] = try snapshot.values(namespace: namespace) }
    }
}
