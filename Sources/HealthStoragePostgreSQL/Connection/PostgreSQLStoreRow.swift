import Foundation
import HealthStorage

/// The row of the table `store`: a person's identity and counters. Every transaction reads it first, and a writing one
/// locks and updates it, so that a person's transactions follow each other.
struct PostgreSQLStoreRow: Hashable, Sendable {
    var identity: StoreIdentity
    var lastSequence: Int64
    /// The number of transactions that have changed something.
    var commits: Int64
    /// The number of the last transaction that changed the dictionaries or the lengths of pages.
    var catalog: Int64
    /// The number of the last transaction that changed settings.
    var settings: Int64
    /// The marks of the last transactions, 8 bytes each: the mark of transaction `n` is at `n` modulo ``markCount``.
    var marks: [UInt8]

    /// The number of transactions whose marks are kept.
    static let markCount: Int64 = 64

    init(_ rows: PostgreSQLRows) throws {
        guard rows.count == 1 else { throw Self.removed }
        try self.init(rows[0])
    }

    init(_ row: PostgreSQLRow) throws {
        identity = StoreIdentity(uuid: try row.uuid(0), seed: UInt64(bitPattern: try row.integer(1)))
        lastSequence = try row.integer(2)
        commits = try row.integer(3)
        catalog = try row.integer(4)
        settings = try row.integer(5)
        marks = Array(row.bytes(6))
        guard marks.count == Self.markCount * 8 else { throw Self.incomplete }
    }

    static var removed: StorageError {
        StorageError(.removed, "The database has no store of this person, or the role may not read it.")
    }

    static var incomplete: StorageError {
        StorageError(.damaged, "The row that describes the store is incomplete.")
    }

    /// Whether transaction `number` was the one with this mark; `nil` if the marks don't reach back so far.
    func hasCommitted(_ number: Int64, mark: UInt64) -> Bool? {
        guard number <= commits else { return false }
        guard commits - number < Self.markCount else { return nil }
        return marks[Self.markRange(of: number)].elementsEqual(Self.bytes(of: mark))
    }

    /// Whether everything of another state of the store is a part of this one.
    func includes(_ other: PostgreSQLStoreRow) -> Bool {
        identity == other.identity && (0..<Self.markCount).contains(commits - other.commits)
            && marks[Self.markRange(of: other.commits)].elementsEqual(other.lastMark)
    }

    /// Records the mark of the last transaction, as the server does.
    mutating func recordMark(_ mark: UInt64) {
        marks.replaceSubrange(Self.markRange(of: commits), with: Self.bytes(of: mark))
    }

    /// The mark of the last transaction.
    var lastMark: [UInt8] { Array(marks[Self.markRange(of: commits)]) }

    /// The place of the last transaction's mark in ``marks``, which SQL counts from 1.
    var lastMarkPlace: Int64 { Int64(Self.place(of: commits) + 1) }

    private static func markRange(of number: Int64) -> Range<Int> { place(of: number)..<place(of: number) + 8 }

    private static func place(of number: Int64) -> Int { Int(number % markCount) * 8 }

    private static func bytes(of mark: UInt64) -> [UInt8] {
        withUnsafeBytes(of: mark.bigEndian) { Array($0) }
    }
}

extension PostgreSQLStoreRow {
    private static let columns = "uuid, seed, last_sequence, commits, catalog, settings, marks"
    private static let selection = "SELECT \(columns) FROM store WHERE person = $1"

    /// The place of the row among the answers to ``beginReading(_:)`` and ``beginWriting(_:)``.
    static let place = 2

    /// Begins a reading transaction and reads the row.
    static func beginReading(_ person: Int64) -> [PostgreSQLCall] {
        [
            PostgreSQLCall("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"), setPerson(person),
            PostgreSQLCall(selection, [person]),
        ]
    }

    /// Begins a reading transaction of several people and reads their rows, each with the person in the last column.
    static func beginReading(_ people: [Int64]) -> [PostgreSQLCall] {
        let list = ",\(people.map(String.init).joined(separator: ",")),"
        return [
            PostgreSQLCall("BEGIN ISOLATION LEVEL REPEATABLE READ READ ONLY"),
            PostgreSQLCall("SET LOCAL \(PostgreSQLSchema.peopleSetting) = '\(list)'", isPrepared: false),
            PostgreSQLCall("SELECT \(columns), person FROM store WHERE person = ANY($1)", [people]),
        ]
    }

    /// The place of the person in those rows.
    static let personColumn: Int32 = 7

    /// Begins a writing transaction, and locks and reads the row.
    static func beginWriting(_ person: Int64) -> [PostgreSQLCall] {
        [
            // The lock makes what follows as consistent as one snapshot, which would be older than the lock.
            PostgreSQLCall("BEGIN ISOLATION LEVEL READ COMMITTED"), setPerson(person), lock(person),
        ]
    }

    /// Locks and reads the row. An update that changes nothing, for which a cluster that moves the row to another node
    /// waits; a lock of `FOR UPDATE` would stay behind on the old one.
    static func lock(_ person: Int64) -> PostgreSQLCall {
        PostgreSQLCall("UPDATE store SET commits = commits WHERE person = $1 RETURNING \(columns)", [person])
    }

    /// The row-level security of the transaction.
    static func setPerson(_ person: Int64) -> PostgreSQLCall {
        PostgreSQLCall("SET LOCAL \(PostgreSQLSchema.personSetting) = '\(person)'", isPrepared: false)
    }

    /// Writes the counters of transaction ``commits`` and its mark, the last one in ``marks``.
    func update(_ person: Int64) -> PostgreSQLCall {
        PostgreSQLCall("UPDATE store \(Self.assignments) WHERE person = $1", arguments(person))
    }

    /// The assignments of a statement that writes ``arguments(_:)``.
    static let assignments = """
        SET last_sequence = $2, commits = $3, catalog = $4, settings = $5, \
        marks = overlay(marks placing $6 from $7::int4 for 8)
        """

    /// The arguments `$1` to `$7` of ``assignments``.
    func arguments(_ person: Int64) -> [any PostgreSQLArgument] {
        [person, lastSequence, commits, catalog, settings, lastMark, lastMarkPlace]
    }

    /// Begins a writing transaction without asking for the row.
    static func beginWithoutReading(_ person: Int64) -> [PostgreSQLCall] {
        [PostgreSQLCall("BEGIN ISOLATION LEVEL READ COMMITTED"), setPerson(person)]
    }

    /// Creates the row of a new store.
    static func insert(_ person: Int64, _ identity: StoreIdentity) -> PostgreSQLCall {
        PostgreSQLCall(
            """
            INSERT INTO store (person, uuid, seed, last_sequence, commits, catalog, settings, marks)
            VALUES ($1, $2, $3, 0, 0, 0, 0, $4) ON CONFLICT (person) DO NOTHING
            """,
            [person, identity.uuid, Int64(bitPattern: identity.seed), [UInt8](repeating: 0, count: Int(markCount) * 8)])
    }
}
