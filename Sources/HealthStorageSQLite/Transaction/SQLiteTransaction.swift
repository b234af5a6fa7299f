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

    /// The connection's `data_version`; nobody else can commit while this transaction runs.
    let dataVersion: Int64
    /// How many transactions of this storage went before.
    private let ownCommits: Int64
    /// The page that was looked for or put last, unless it went since.
    var lastFound: (key: PageKey, place: SQLitePagePlace)?

    /// - Parameter database: A connection whose write transaction has begun.
    init(_ database: Database, memory: SQLiteMemory) throws {
        self.memory = memory
        dataVersion = try database.dataVersion()
        ownCommits = memory.commits
        lastFound = memory.lastPut(version: dataVersion)
        super.init(database)
    }

    var baseState: StorageState? {
        StorageState(ownCommits: ownCommits, foreignCommits: dataVersion)
    }

    override func found(_ key: PageKey, at place: SQLitePagePlace) {
        lastFound = (key, place)
    }

    // MARK: The sequence

    /// The position so far; `nil` until it is needed.
    private(set) var position: SQLitePosition?
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

    /// The last step of the transaction: writes the counter where rows do not tell it.
    func finish() throws {
        guard let position else { return }
        let isTold = !hasRemoved && (position.last == position.counter || greatestPut >= position.last)
        if !isTold || SQLitePosition.bound(position.last) != SQLitePosition.bound(position.counter) {
            try database.run("UPDATE store SET last_sequence = ?") { statement in
                try statement.bind(position.last, at: 1)
                try statement.execute()
            }
            self.position?.counter = position.last
        }
    }

    private func currentPosition() throws -> SQLitePosition {
        if let position { return position }
        let found = try memory.position(version: dataVersion) ?? storedPosition()
        position = found
        return found
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
