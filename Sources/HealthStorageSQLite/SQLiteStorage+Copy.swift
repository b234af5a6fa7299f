import GRDB
import HealthStorage

extension SQLiteStorage {
    /// Writes one state of the store to a new file, which is a store with the same identity. Writers and
    /// readers go on meanwhile. There must be nothing at `path`.
    public func copy(to path: String) throws {
        try checkOpen()
        try StorageError.translating { try pool.vacuum(into: path) }
    }
}
