import HealthModel
import HealthStorage

/// Writes to the file. The writing half of `SQLiteSnapshot`.
final class SQLiteTransaction: SQLiteSnapshot, StorageTransaction {
    func takeSequences(_ count: Int) throws -> Int64 {
        precondition(count >= 0, "a run of sequence numbers cannot be negative")
        // Without RETURNING, for which SQLite makes a temporary table each time.
        let last = try lastSequence()
        try database.run("UPDATE store SET last_sequence = ?") { statement in
            try statement.bind(last &+ Int64(count), at: 1)
            try statement.execute()
        }
        return last &+ 1
    }

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
