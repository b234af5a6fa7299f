import Foundation
import HealthKit
import HealthStorage
import HealthStorageSQLite
import Synchronization

/// A folder with a store and its backups, removed with this object.
final class BackupScratch: Sendable {
    let folder: URL
    /// Seconds after the first moment, which tests move.
    let seconds = Mutex(0.0)

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("HealthBackupTests-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
    }

    deinit {
        // The connections of a person's store close on a dedicated thread, and remove their files at the same time.
        for _ in 0..<10_000 where FileManager.default.fileExists(atPath: folder.path) {
            try? FileManager.default.removeItem(at: folder)
            sched_yield()
        }
    }

    var store: String { path("health.sqlite") }
    var backups: String { path("backups") }

    func path(_ name: String) -> String {
        folder.appendingPathComponent(name).path
    }

    /// Waits until no connection has a store open: those of a person's store close on a dedicated thread.
    func waitUntilClosed(_ path: String? = nil) {
        while FileManager.default.fileExists(atPath: path ?? store) {
            if (try? StoreLock(path ?? store)) != nil { return }
            sched_yield()
        }
    }

    /// All files below a path.
    func files(below path: String) -> [String] {
        (FileManager.default.enumerator(atPath: path)?.compactMap { $0 as? String } ?? []).map { "\(path)/\($0)" }
            .filter { file in
                var isFolder: ObjCBool = false
                return FileManager.default.fileExists(atPath: file, isDirectory: &isFolder) && !isFolder.boolValue
            }
            .sorted()
    }
}

/// A person with a scale: every save is a batch of ten samples.
struct Person: Sendable {
    static let start = Date(timeIntervalSinceReferenceDate: 700_000_000)
    static let type = HKQuantityType(.bodyMass)
    let store: HKHealthStore

    /// - Parameter key: The path of the key file of an encrypted store.
    init(_ path: String, key: String? = nil) {
        var configuration = HKHealthStore.Configuration(
            location: .file(URL(fileURLWithPath: path)),
            application: HKHealthStore.Configuration.Application(bundleIdentifier: "org.example.scale"),
            authorization: .allowAll)
        configuration.encryptionKey = key.map { .file(URL(fileURLWithPath: $0)) }
        store = HKHealthStore(configuration: configuration)
    }

    func save(batch number: Int) async throws {
        try await store.save(
            (0..<10).map { index in
                let date = Self.start + Double(number * 10 + index)
                return HKQuantitySample(
                    type: Self.type, quantity: HKQuantity(unit: .gram(), doubleValue: Double(number)), start: date,
                    end: date)
            })
    }

    /// All samples after an anchor, and the next anchor.
    func changes(after anchor: HKQueryAnchor? = nil) async throws -> (
        samples: [HKQuantitySample], anchor: HKQueryAnchor
    ) {
        let query = HKAnchoredObjectQueryDescriptor(predicates: [.quantitySample(type: Self.type)], anchor: anchor)
        let result = try await query.result(for: store)
        return (result.addedSamples, result.newAnchor)
    }
}
