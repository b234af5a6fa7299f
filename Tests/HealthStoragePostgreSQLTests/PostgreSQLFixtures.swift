import Foundation
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthTesting
import PostgreSQLTestSupport
import Synchronization

/// Rows for tests of the PostgreSQL backend.
enum Rows {
    static let paged = TypeCode(rawValue: 1)
    static let object = TypeCode(rawValue: 80)

    static func page(_ number: Int, bytes: Int = 6_000) -> StoredPage {
        var random = SplitMix64(seed: UInt64(number))
        return StoredPage(
            key: PageKey(type: paged, firstStart: Double(number) * 100, firstSequence: Int64(number)),
            bounds: PageBounds(
                count: 1_000, lastStart: Double(number) * 100 + 90, maximumEnd: Double(number) * 100 + 95,
                minimumSequence: Int64(number), maximumSequence: Int64(number)),
            header: random.bytes(180), body: random.bytes(bytes))
    }

    static func uuid(_ number: Int) -> UUID {
        var random = SplitMix64(seed: UInt64(number))
        return random.uuid()
    }

    /// The sequence numbers of all pages in key order.
    static func pages(in storage: any HealthStorage) throws -> [Int64] {
        try storage.read { snapshot in
            var sequences: [Int64] = []
            try snapshot.visitPages(of: paged, in: .all, bodies: false) {
                sequences.append($0.key.firstSequence)
                return true
            }
            return sequences
        }
    }
}

/// A database whose connections the stores of a test share; each store is that of a new person.
final class TestPeople: Sendable {
    let database: PostgreSQLDatabase

    convenience init(
        schema: String = "tests", options: PostgreSQLOptions = PostgreSQLOptions(), server: PostgreSQLServer? = nil
    ) throws {
        try self.init(url: (server ?? PostgreSQLServer.shared()).url("schema=\(schema)"), options: options)
    }

    init(url: String, options: PostgreSQLOptions = PostgreSQLOptions()) throws {
        database = try PostgreSQLDatabase(PostgreSQLAddress(url), options: options)
    }

    deinit {
        database.close()
    }

    func makeStorage() throws -> PostgreSQLStorage {
        try database.storage(ofPerson: UUID().uuidString)
    }
}

/// A number that threads count up, and that others wait for.
final class Progress: Sendable {
    private let condition = NSCondition()
    private let number = Mutex(0)

    func add() {
        condition.lock()
        number.withLock { $0 += 1 }
        condition.broadcast()
        condition.unlock()
    }

    var count: Int { number.withLock { $0 } }

    /// Waits until the number is reached. Returns whether it was within a minute.
    @discardableResult
    func wait(for count: Int) -> Bool {
        let limit = Date().addingTimeInterval(60)
        condition.lock()
        defer { condition.unlock() }
        while self.count < count {
            guard condition.wait(until: limit) else { return false }
        }
        return true
    }
}
