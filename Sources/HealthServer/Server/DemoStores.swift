import AppleHealthGenerator
import Foundation
import HealthAccess
import HealthFiles
import HealthIngest
import Synchronization

/// Stores of fictional people, to look around without data of one's own. Each session or token that acts as a person
/// has one below `/v1/people/_demo`, from its first request until it is unused for some time.
final class DemoStores: Sendable {
    /// The name in paths, which can't be that of a person.
    static let person = "_demo"
    /// About half a year.
    private static let records = 160_000
    /// Each takes seconds of a processor. For a further one, that which was used least recently ends.
    private static let maximumCount = 4

    private struct Demo {
        var store: Task<PersonStore, any Error>
        var folder: String
        var lastUse: Date
    }

    private let demos = Mutex<[String: Demo]>([:])
    private let folder: String
    private let pool: StorePool
    private let now: @Sendable () -> Date

    /// - Parameter folder: The folder of their folders.
    init(folder: String, pool: StorePool, now: @escaping @Sendable () -> Date) {
        (self.folder, self.pool, self.now) = (folder, pool, now)
    }

    /// Removes what a server that was killed has left.
    func removeLeftovers() { try? FileManager.default.removeItem(atPath: folder) }

    /// The store of an identity, generated if it has none yet.
    ///
    /// - Parameter timeZone: Where the person lives who is generated.
    /// - Throws: errors of the generator and of the import; ``Problem`` `overloaded`.
    func store(of identity: Identity, in timeZone: TimeZone) async throws -> PersonStore {
        let (id, date) = (identity.id, now())
        let (store, dropped) = demos.withLock { demos in
            var dropped: [Demo] = []
            if demos[id] == nil, demos.count >= Self.maximumCount,
                let oldest = demos.min(by: { $0.value.lastUse < $1.value.lastUse })
            {
                dropped.append(oldest.value)
                demos[oldest.key] = nil
            }
            var demo = demos[id] ?? make(in: timeZone)
            demo.lastUse = date
            demos[id] = demo
            return (demo.store, dropped)
        }
        Self.remove(dropped)
        do {
            return try await store.value
        } catch {
            // Another one may have been begun since.
            let failed = demos.withLock { $0[id]?.store == store ? $0.removeValue(forKey: id) : nil }
            Self.remove(failed.map { [$0] } ?? [])
            guard failed == nil, store.isCancelled else { throw error }
            throw Problem(.overloaded, "Too many people look around at the same time. Repeat the request.")
        }
    }

    /// Removes those that have been unused for a number of seconds.
    func removeUnused(for seconds: TimeInterval) {
        let limit = now().addingTimeInterval(-seconds)
        let unused = demos.withLock { demos in
            let unused = demos.filter { $0.value.lastUse <= limit }
            for id in unused.keys { demos[id] = nil }
            return unused.values
        }
        Self.remove(Array(unused))
    }

    /// The folders of all, by which tests see them.
    var folders: [String] { demos.withLock { $0.values.map(\.folder) } }

    /// A request or a stream that still uses the store has its file open.
    private static func remove(_ demos: [Demo]) {
        for demo in demos {
            demo.store.cancel()
            try? FileManager.default.removeItem(atPath: demo.folder)
            Task {
                // One that is still being made notices that its folder is gone, and may have made it again.
                _ = await demo.store.result
                try? FileManager.default.removeItem(atPath: demo.folder)
            }
        }
    }

    private func make(in timeZone: TimeZone) -> Demo {
        let (pool, now) = (pool, now)
        let folder = folder + "/" + UUID().uuidString
        let store = Task {
            try await pool.runTransfer {
                try FileManager.default.createDirectory(
                    atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
                // As the latest iOS would export, without its defects.
                var options = GeneratorOptions(records: Self.records, exportDate: now(), timeZone: timeZone)
                (options.dialect, options.hasDefects) = (ArchiveDialect("26"), false)
                let archive = folder + "/demo.zip"
                try ArchiveGenerator(options: options).write(toPath: archive)
                let store = try PersonStore(person: Self.person, location: .folder(folder), creating: true, now: now)
                _ = try FileImport.run(
                    path: archive, options: ImportOptions(timeZone: timeZone.identifier),
                    isInterrupted: { !FileManager.default.fileExists(atPath: folder) }, opening: { store.engine })
                unlink(archive)
                return store
            }
        }
        return Demo(store: store, folder: folder, lastUse: now())
    }
}
