import GRDB
import GRDBSQLite
import HealthStorage
import HealthStorageFiles

extension SQLiteStorage {
    /// Checks each page of the file, runs SQLite's integrity check on the whole file, then checks for dangling
    /// references.
    package func findDamage() throws -> [String] {
        try checkOpen()
        let sealed = try findSealDamage()
        guard sealed.isEmpty else { return sealed }
        return try StorageError.translating {
            try writer.read { database in
                let lines = try database.all("PRAGMA integrity_check(20)") { $0.text(0) }
                // In a broken tree, the counts below would be meaningless.
                guard lines.isEmpty || lines == ["ok"] else { return lines.map { "SQLite reports: \($0)." } }
                return try Self.lost.compactMap { what, sql in
                    let count = try database.run(sql) { try $0.step() ? $0.integer(0) : 0 }
                    return count == 0 ? nil : "\(what): \(count)."
                }
            }
        }
    }

    /// The pages that aren't what was written.
    ///
    /// A page that the log has, too, may be torn in the file after a power failure. Such pages aren't damaged, and are
    /// written again first.
    private func findSealDamage() throws -> [String] {
        guard moveLog() else { return [] }
        return try StorageError.translating {
            var damaged = try unsoundPages()
            if !damaged.isEmpty {
                // Another program may just have written them.
                guard moveLog() else { return [] }
                damaged = try unsoundPages(damaged)
            }
            return damaged.map { ReadFailure.damage(of: $0, in: path) }
        }
    }

    /// Moves the log to the file as far as possible. Returns `false` if another program's reads leave something there.
    private func moveLog() -> Bool {
        do {
            let (frames, moved) = try writer.writeWithoutTransaction { try $0.checkpoint(.passive) }
            return frames == moved
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            return false
        } catch {
            // A store that can't be written, or a full disk.
            return true
        }
    }

    /// The number of pages beyond the end of the file that are reported at most. A first page can name any number.
    private static let maximumMissing: Int64 = 1_000

    /// The pages, of all or of some, that aren't what was written. While there is a log, it can have those beyond the
    /// end of the file.
    private func unsoundPages(_ some: [Int64]? = nil) throws -> [Int64] {
        try writer.unsafeRead { database in
            guard let file = StoreFileSystem.file(of: database.sqliteConnection) else { return [] }
            let stored = file.storedPages()
            func isDamaged(_ page: Int64) -> Bool {
                page <= stored && !StoreFile.isOfLocks(page) && !file.isSound(page: page)
            }
            var damaged = (some ?? Array(1..<stored + 1)).filter(isDamaged)
            if damaged.contains(where: file.isUnwritten) {
                let free = Self.freePages(of: file)
                damaged.removeAll { file.isUnwritten(page: $0) && free.contains($0) }
            }
            var size: Int64 = 0
            _ = file.size(&size)
            let named = min((size + StoreFile.pageSize - 1) / StoreFile.pageSize, stored + Self.maximumMissing)
            // The log is beside the file itself, not beside a link to it.
            if named > stored, !SQLiteFile(path: file.path).hasLog { damaged += (stored + 1)...named }
            return damaged
        }
    }

    /// The pages that are in no table, as far as their list can be read. SQLite never writes some of them.
    static func freePages(of file: StoreFile) -> Set<Int64> {
        var page = [UInt8](repeating: 0, count: Int(StoreFile.pageSize))
        func read(_ number: Int64) -> Bool {
            page.withUnsafeMutableBytes {
                file.read($0.baseAddress!, StoreFile.pageSize, at: (number - 1) * StoreFile.pageSize)
            } == SQLITE_OK
        }
        func number(at offset: Int) -> Int64 { page[offset..<offset + 4].reduce(0) { $0 << 8 | Int64($1) } }
        guard read(1) else { return [] }
        var free: Set<Int64> = []
        var list = number(at: 32)
        // Each page of the list names the next one and up to 1,022 others.
        while list > 1, free.insert(list).inserted, read(list) {
            for index in 0..<min(Int(number(at: 4)), Int(StoreFile.pageSize) / 4 - 2) {
                free.insert(number(at: 8 + 4 * index))
            }
            list = number(at: 0)
        }
        return free
    }

    /// A setting of the writing connection, such as `synchronous`.
    func writerSetting(_ name: String) throws -> Int64 {
        try writer.writeWithoutTransaction { database in
            try database.run("PRAGMA \(name)") { try $0.step() ? $0.integer(0) : -1 }
        }
    }

    private static let lost = [
        (
            "Pages without a body",
            """
            SELECT count(*) FROM page_header
            WHERE (body IS NULL) = (body_id IS NULL OR body_id NOT IN (SELECT id FROM page_body))
            """
        ),
        (
            "Bodies without a page",
            "SELECT count(*) FROM page_body WHERE id NOT IN (SELECT body_id FROM page_header WHERE body_id IS NOT NULL)"
        ),
        (
            "Pages longer than the longest of their type",
            """
            SELECT count(*) FROM page_header WHERE greatest_end - first_start >
                coalesce((SELECT longest FROM page_span WHERE page_span.type = page_header.type), 0)
            """
        ),
        (
            // The counter may be behind the rows, but only within its block.
            "Rows with a number greater than those allocated",
            """
            SELECT (SELECT count(*) FROM page_header, store WHERE greatest_sequence > (last_sequence | 1023))
                + (SELECT count(*) FROM object, store WHERE sequence > (last_sequence | 1023))
                + (SELECT count(*) FROM tombstone, store WHERE sequence > (last_sequence | 1023))
            """
        ),
        (
            "Pages that cannot be found by their sequence numbers",
            "SELECT count(*) FROM page_header WHERE sequence_bound <> (greatest_sequence | 1023)"
        ),
        (
            "Objects that cannot be found by their UUID",
            """
            SELECT count(*) FROM object WHERE uuid IS NOT NULL AND NOT EXISTS
                (SELECT 1 FROM identity
                WHERE identity.uuid = object.uuid AND identity.sequence = object.sequence)
            """
        ),
    ]
}
