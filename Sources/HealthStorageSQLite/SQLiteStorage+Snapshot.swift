import Foundation
import GRDB
import GRDBSQLite
import HealthStorage
import HealthStorageFiles

extension SQLiteStorage {
    /// Writes a snapshot of the store to a new file without blocking readers and writers.
    ///
    /// Unlike ``copy(to:)``, each page of the database keeps its place in the file, so that two snapshots differ only
    /// where the store has changed. That of an encrypted store is encrypted with the same key, and two snapshots are
    /// still equal where the store is. The file isn't synced. Throws `StorageError` `.unreachable` if there is a file
    /// at `path` or it can't be created, `.damaged` if a page of the store isn't what was written, and `.inputOutput`
    /// if the disk is full.
    package func writeSnapshot(to path: String) throws {
        try checkOpen()
        try SQLiteFile.create(path)
        let copyAccess = try access?.copy(from: self.path, to: path).access ?? ChecksummedFile.access()
        try StorageError.translating {
            let copy = try DatabaseQueue(path: copyAccess.uri(of: path))
            try copy.writeWithoutTransaction { destination in
                // A snapshot that is interrupted is thrown away.
                try destination.execute(sql: "PRAGMA synchronous = OFF")
                try destination.execute(sql: "PRAGMA journal_mode = OFF")
                destination.reserveBytes(isEncrypted ? EncryptedDatabasePage.reserved : ChecksummedFile.reserved)
                // All pages in one step: they are of one state, however many commits there are meanwhile.
                let unwritten: Set<Int64> = try writer.unsafeRead { source in
                    let file = StoreFileSystem.file(of: source.sqliteConnection)
                    file?.readsUnwrittenPages = true
                    file?.unwrittenPages = []
                    defer {
                        file?.readsUnwrittenPages = false
                        // What was read this way isn't for others.
                        sqlite3_db_release_memory(source.sqliteConnection)
                    }
                    try source.backup(to: destination, pagesPerStep: -1)
                    return file?.unwrittenPages ?? []
                }
                guard !unwritten.isEmpty, let file = StoreFileSystem.file(of: destination.sqliteConnection) else {
                    return
                }
                // A page in use was written before.
                if let lost = unwritten.subtracting(Self.freePages(of: file)).min() {
                    throw StorageError(.damaged, ReadFailure.damage(of: lost, in: self.path))
                }
            }
            try copy.close()
        }
        withExtendedLifetime(copyAccess) {}
    }

    /// Opens a snapshot of this store for reading, without the person's key, which may have been changed since the
    /// store was opened.
    package func openSnapshot(at path: String) throws -> SQLiteStorage {
        var options = SQLiteOptions()
        options.isReadOnly = true
        var opening = SQLiteOpening(path: path, options: options)
        opening.original = access
        return try SQLiteStorage(opening)
    }
}
