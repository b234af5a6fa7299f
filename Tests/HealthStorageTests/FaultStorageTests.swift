import HealthModel
import HealthStorage
import HealthTesting
import StorageContract
import Testing

@Suite struct FaultStorageTests {
    private let fault = StorageError(.inputOutput, "broken")

    @Test func failsAtTheGivenCall() throws {
        let storage = FaultStorage(InMemoryStorage())
        storage.inject(Fault(at: .write, after: 2, error: fault))
        #expect(throws: fault) {
            try storage.write { transaction in
                for number in 1...5 { _ = try transaction.intern(unit: "\(number)") }
            }
        }
        #expect(storage.calls(at: .write) == 3)
        #expect(try storage.read { try $0.dictionaries().units } == [])
        // A fault occurs once.
        try storage.write { _ = try $0.intern(unit: "kg") }
        #expect(try storage.read { try $0.dictionaries().units } == ["kg"])
    }

    @Test func failsReads() throws {
        let storage = FaultStorage(InMemoryStorage())
        storage.inject(Fault(at: .read, after: 1, error: fault))
        #expect(throws: fault) {
            try storage.read { snapshot in
                _ = try snapshot.lastSequence()
                _ = try snapshot.lastSequence()
            }
        }
        storage.inject(nil)
        #expect(try storage.read { try $0.lastSequence() } == 0)
    }

    @Test func failsCommits() throws {
        let storage = FaultStorage(InMemoryStorage())
        storage.inject(Fault(at: .commit, after: 1, error: fault))
        try storage.write { _ = try $0.allocateSequences(1) }
        #expect(throws: fault) { try storage.write { _ = try $0.allocateSequences(1) } }
        #expect(try storage.read { try $0.lastSequence() } == 1)
        storage.inject(Fault(at: .afterCommit, after: 0, error: fault))
        #expect(throws: fault) { try storage.write { _ = try $0.allocateSequences(1) } }
        #expect(try storage.read { try $0.lastSequence() } == 2)
    }

    @Test(arguments: StorageContract.Check.allCases)
    func passesOtherCallsOn(_ check: StorageContract.Check) throws {
        try StorageContract(makeStorage: { FaultStorage(InMemoryStorage()) }).run(check)
    }
}
