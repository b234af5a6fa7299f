import Foundation
import HealthEngine
import HealthStorage
import HealthStorageSQLite
import Synchronization

/// The engines of this process, one for each place: all stores over a file share one engine, so that each
/// hears at once what another wrote. An engine lives as long as somebody uses it.
final class EngineRegistry: Sendable {
    static let shared = EngineRegistry()

    private enum Place: Hashable {
        case file(String)
        case memory(String)
    }

    private struct Entry {
        weak var engine: HealthEngine?
    }

    private let engines = Mutex<[Place: Entry]>([:])

    /// The engine at a place, opened now if nobody uses it.
    ///
    /// - Throws: storage trouble.
    func engine(
        at location: HKHealthStore.Configuration.Location, clock: HKHealthStore.Configuration.Clock
    ) throws -> HealthEngine {
        let place = try Self.place(of: location)
        // Opened under the lock: two engines over one file would not hear each other.
        return try engines.withLock { engines in
            if let engine = engines[place]?.engine { return engine }
            let now = clock.now
            let engine = try HealthEngine(
                storage: Self.open(place),
                configuration: EngineConfiguration(now: { now().timeIntervalSinceReferenceDate }))
            engines = engines.filter { $0.value.engine != nil }
            engines[place] = Entry(engine: engine)
            return engine
        }
    }

    private static func place(of location: HKHealthStore.Configuration.Location) throws -> Place {
        let url: URL
        switch location {
        case .default: url = URL(fileURLWithPath: HKHealthStore.Configuration.defaultStorePath)
        case .file(let file): url = file
        case .inMemory(let name): return .memory(name ?? "")
        }
        let folder = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        } catch {
            throw StorageError(.unreachable, "The folder \(folder.path) cannot be made.")
        }
        // Links are followed, so that two names of one file are one place.
        let path = folder.resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
        return .file(path.resolvingSymlinksInPath().path)
    }

    private static func open(_ place: Place) throws -> any HealthStorage {
        switch place {
        case .file(let path): try SQLiteStorage(path: path)
        case .memory: InMemoryStorage()
        }
    }
}
