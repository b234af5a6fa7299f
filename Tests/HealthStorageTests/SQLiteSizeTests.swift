import Foundation
import HealthStorage
import HealthStorageSQLite
import Testing

@Suite struct SQLiteSizeTests {
    /// Exact figures, not measurements: the same rows always make the same file.
    @Test func costsLittleBesideThePages() throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        let empty = try size(store)
        let pages = (1...400).map { Rows.page($0, bytes: 5_000 + $0 % 7 * 300) }
        try storage.write { transaction in
            for page in pages { try transaction.putPage(page) }
        }
        try storage.close()
        let bodies = pages.reduce(0) { $0 + $1.body.count }
        let beside = try size(store) - bodies
        #expect(Double(beside) / 400_000 < 1.6, "bytes a sample beside the pages")
        #expect(empty < 150_000)
    }

    private func size(_ store: TemporaryStore) throws -> Int {
        let attributes = try FileManager.default.attributesOfItem(atPath: store.path)
        return (attributes[.size] as? NSNumber)?.intValue ?? 0
    }
}
