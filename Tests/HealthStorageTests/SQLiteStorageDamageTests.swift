import Foundation
import GRDB
import HealthStorage
import Testing

@testable import HealthStorageSQLite

@Suite struct SQLiteStorageDamageTests {
    let store: TemporaryStore
    let storage: SQLiteStorage

    init() throws {
        store = try TemporaryStore()
        storage = try store.open()
        for number in 1...8 { try Rows.write(number, to: storage) }
    }

    @Test func findsNothingInASoundStore() throws {
        try storage.write { try $0.removePage(Rows.page(3).key) }
        try storage.write { try $0.removeObject(sequence: 5) }
        #expect(try storage.findDamage() == [])
        #expect(try InMemoryStorage().findDamage() == [])
    }

    @Test(arguments: [
        ("DELETE FROM page_body WHERE id < 3", "Pages without a body: 2."),
        ("INSERT INTO page_body (bytes) VALUES (x'00')", "Bodies without a page: 1."),
        ("UPDATE page_span SET longest = 1", "Pages longer than the longest of their type: 8."),
        ("UPDATE store SET last_sequence = -1024", "Rows with a number greater than those allocated: 16."),
        (
            "UPDATE page_header SET sequence_bound = 5 WHERE first_sequence > 3",
            "Pages that cannot be found by their sequence numbers: 5."
        ),
        ("DELETE FROM identity", "Objects that cannot be found by their UUID: 8."),
    ])
    func findsDanglingReferences(change: String, finding: String) throws {
        try storage.writer.writeWithoutTransaction { try $0.run(change) { try $0.execute() } }
        #expect(try storage.findDamage() == [finding])
    }

    @Test func throwsWhenClosed() throws {
        try storage.close()
        #expect(throws: StorageError(.closed, "The storage is closed.")) { try storage.findDamage() }
    }
}
