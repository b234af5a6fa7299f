import GRDB
import HealthModel
import HealthStorage

/// Writes to the file. The writing half of `SQLiteSnapshot`.
final class SQLiteTransaction: SQLiteSnapshot, StorageTransaction {
    let memory: SQLiteMemory
    /// Whether nouns were added; their numbers are not certain before the commit.
    var hasNewNouns = false
    /// Types whose longest page became longer; not certain before the commit either.
    var raisedSpans: Set<TypeCode> = []

    init(_ database: Database, memory: SQLiteMemory) {
        self.memory = memory
        super.init(database)
    }

    // MARK: The sequence

    /// The position so far; `nil` until it is needed.
    private var position: SQLitePosition?
    /// The greatest number among the rows put in.
    private var greatestPut = Int64.min
    private var hasRemoved = false

    override func lastSequence() throws -> Int64 {
        try currentPosition().last
    }

    func takeSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        let last = try currentPosition().last
        position?.last = last &+ Int64(count)
        return last &+ 1
    }

    /// Notes the number of a row that is put in.
    func note(_ sequence: Int64) {
        greatestPut = max(greatestPut, sequence)
    }

    /// To be called before rows go: the last number may stand in them alone.
    func willRemove() throws {
        _ = try currentPosition()
        hasRemoved = true
    }

    /// The last step of the transaction: writes the counter where rows do not tell it. Returns the position, for
    /// ``SQLiteMemory/keep(_:version:)`` after the commit.
    func finish() throws -> SQLitePosition? {
        guard var position else { return nil }
        let isTold = !hasRemoved && (position.last == position.counter || greatestPut >= position.last)
        if !isTold || SQLitePosition.bound(position.last) != SQLitePosition.bound(position.counter) {
            try database.run("UPDATE store SET last_sequence = ?") { statement in
                try statement.bind(position.last, at: 1)
                try statement.execute()
            }
            position.counter = position.last
        }
        return position
    }

    private func currentPosition() throws -> SQLitePosition {
        if let position { return position }
        let found = try memory.position(version: dataVersion()) ?? storedPosition()
        position = found
        return found
    }

    /// Changes when, and only when, another connection has committed.
    func dataVersion() throws -> Int64 {
        try database.run("PRAGMA data_version") { try $0.step() ? $0.integer(0) : 0 }
    }

    // MARK: Settings

    func setValue(_ value: [UInt8]?, namespace: String, key: String) throws {
        guard let value else {
            try database.run("DELETE FROM setting WHERE namespace = ? AND key = ?") { statement in
                try statement.bind(namespace, at: 1)
                try statement.bind(key, at: 2)
                try statement.execute()
            }
            return
        }
        try database.run("INSERT OR REPLACE INTO setting (namespace, key, value) VALUES (?, ?, ?)") { statement in
            try statement.bind(namespace, at: 1)
            try statement.bind(key, at: 2)
            try value.withUnsafeBytes { bytes in
                try statement.bind(bytes: bytes, at: 3)
                try statement.execute()
            }
        }
    }
}
