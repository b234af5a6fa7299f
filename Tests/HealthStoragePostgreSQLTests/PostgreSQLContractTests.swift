import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import PostgreSQLTestSupport
import StorageContract
import Testing

@Suite struct PostgreSQLContractTests {
    @Test(arguments: StorageContract.Check.allCases)
    func contract(_ check: StorageContract.Check) throws {
        let people = try TestPeople()
        let contract = StorageContract(
            makeStorage: { try people.makeStorage() },
            reopen: { storage in
                guard let storage = storage as? PostgreSQLStorage else { preconditionFailure() }
                try storage.close()
                return try people.database.storage(ofPerson: storage.personName, creating: false)
            })
        try contract.run(check)
    }

    /// The same over a store with separate connections, whose reader and writer find the pool at its limit.
    @Test(arguments: [StorageContract.Check.closing, .foreignCommits, .reopening, .states])
    func ownConnections(_ check: StorageContract.Check) throws {
        let server = try PostgreSQLServer.shared()
        var options = PostgreSQLOptions()
        options.maximumConnections = 2
        let contract = StorageContract(
            makeStorage: { [options] in
                try PostgreSQLStorage(
                    url: server.url("person=\(UUID().uuidString)&schema=own_connections"), options: options)
            },
            reopen: { [options] storage in
                guard let storage = storage as? PostgreSQLStorage else { preconditionFailure() }
                try storage.close()
                return try PostgreSQLStorage(
                    url: server.url("person=\(storage.personName)&schema=own_connections"), options: options)
            })
        try contract.run(check)
    }
}
