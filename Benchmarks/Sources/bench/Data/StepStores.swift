import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorageSQLite

/// The same steps in our store and in the row table, each in its own file.
struct StepStores {
    let history: StepHistory
    let store: URL
    let table: URL
    let rows: RowTable

    /// Creates and fills both files.
    ///
    /// - Parameter withIdentities: Whether the row table has a column for UUIDs.
    init(count: Int, in setting: Setting, withIdentities: Bool = false) throws {
        history = StepHistory(count: count)
        store = try setting.freshStore("steps.store")
        table = try setting.freshStore("steps.sqlite")
        let engine = try HealthEngine(storage: SQLiteStorage(path: store.path))
        _ = try BulkImport(engine: engine).commit(
            BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
        try engine.close()
        rows = try RowTable(path: table.path, withIdentities: withIdentities)
        try rows.insert(history.columns)
    }
}
