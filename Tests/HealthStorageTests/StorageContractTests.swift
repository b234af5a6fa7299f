import Foundation
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import StorageContract
import Testing

@Suite struct StorageContractTests {
    @Test(arguments: StorageContract.Check.allCases)
    func inMemory(_ check: StorageContract.Check) throws {
        try StorageContract(makeStorage: { InMemoryStorage() }).run(check)
    }

    @Test(arguments: StorageContract.Check.allCases)
    func sqlite(_ check: StorageContract.Check) throws {
        let directory = try TemporaryStore()
        let contract = StorageContract(
            makeStorage: { try SQLiteStorage(path: directory.path("\(UUID().uuidString).sqlite")) },
            reopen: { storage in
                guard let storage = storage as? SQLiteStorage else { preconditionFailure() }
                try storage.close()
                return try SQLiteStorage(path: storage.path)
            })
        try contract.run(check)
    }

    /// The suite detects defects: a storage that loses a write, fails a read or commits nothing.
    @Test(arguments: [Fault.Point.read, .write, .commit])
    func faultsAreFound(_ point: Fault.Point) {
        let contract = StorageContract(makeStorage: {
            let storage = FaultStorage(InMemoryStorage())
            storage.inject(Fault(at: point, after: 0))
            return storage
        })
        #expect(throws: (any Error).self) { try contract.run() }
    }
}

@Suite struct StorageSubscriptionTests {
    @Test func cancelsOnce() {
        let calls = Calls()
        let subscription = StorageSubscription { calls.add() }
        #expect(calls.count == 0)
        subscription.cancel()
        subscription.cancel()
        #expect(calls.count == 1)
    }

    @Test func cancelsWhenReleased() {
        let calls = Calls()
        do {
            let subscription = StorageSubscription { calls.add() }
            withExtendedLifetime(subscription) {}
        }
        #expect(calls.count == 1)
    }
}
