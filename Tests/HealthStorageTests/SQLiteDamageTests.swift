import Foundation
import HealthModel
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import StorageContract
import Testing

@Suite struct SQLiteDamageTests {
    /// Opening, reading and writing a damaged file works or throws a storage error.
    @Test(arguments: [1, 2, 3, 4] as [UInt64])
    func damageThrows(seed: UInt64) throws {
        let store = try TemporaryStore()
        let storage = try store.open()
        for number in 1...12 { try Rows.write(number, to: storage, bytes: 3_000) }
        try storage.write { transaction in
            for number in 1...30 {
                try transaction.addLink(
                    StoredLink(
                        owner: Int64(number % 3), ownerType: Rows.object, member: Int64(number),
                        memberType: Rows.paged))
                _ = try transaction.intern(typeIdentifier: "type \(number)", kind: .quantity)
            }
        }
        try storage.close()
        let whole = try Data(contentsOf: URL(fileURLWithPath: store.path))
        var random = SplitMix64(seed: seed)
        let path = store.path("damaged.sqlite")
        var failures = 0
        for _ in 0..<60 {
            var bytes = whole
            for _ in 0..<Int.random(in: 1...40, using: &random) {
                let place =
                    random.oneIn(3)
                    ? Int.random(in: 0..<bytes.count / 4_096, using: &random) * 4_096
                        + Int.random(in: 0..<16, using: &random)
                    : Int.random(in: 0..<bytes.count, using: &random)
                bytes[place] = UInt8.random(in: 0...255, using: &random)
            }
            if random.oneIn(8) { bytes = bytes.prefix(Int.random(in: 0..<bytes.count, using: &random)) }
            for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
            try bytes.write(to: URL(fileURLWithPath: path))
            do {
                try use(path)
            } catch is StorageError {
                failures += 1
            } catch {
                Issue.record("seed \(seed): \(error)")
            }
        }
        #expect(failures > 10, "seed \(seed): most damage is noticed")
    }

    private func use(_ path: String) throws {
        let storage = try SQLiteStorage(path: path)
        var probes = StorageProbes()
        probes.uuids = (1...12).map(Rows.uuid)
        probes.owners = [0, 1, 2]
        probes.namespaces = ["test"]
        _ = try storage.read { try StorageContents(of: $0, probes: probes) }
        try storage.read { snapshot in
            for window in [
                PageWindow.sequencesAfter(3), .containing(sequence: 4), .time(startsBefore: 500, endsAtOrAfter: 200),
            ] {
                try snapshot.visitPages(of: Rows.paged, in: window, bodies: true) { !$0.body.isEmpty }
                try snapshot.visitObjects(of: Rows.object, in: window) { _ in true }
            }
        }
        try Rows.write(50, to: storage)
        try storage.close()
    }
}
