import Foundation
public import HealthEngine
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite
import Synchronization

/// The engines of this process, one per location. All stores with the same file or address share an engine, so that
/// each is notified immediately of what another wrote. An engine is released with its last user.
final class EngineRegistry: Sendable {
    static let shared = EngineRegistry()

    private enum Place: Hashable {
        case file(String)
        case memory(String)
        case database(String)
    }

    private struct Entry {
        weak var engine: HealthEngine?
    }

    private let engines = Mutex<[Place: Entry]>([:])

    /// The engine at a location, opened if necessary.
    ///
    /// - Throws: storage errors.
    func engine(
        at location: HKHealthStore.Configuration.Location, clock: HKHealthStore.Configuration.Clock,
        key: HKHealthStore.Configuration.EncryptionKey? = nil
    ) throws -> HealthEngine {
        let place = try Self.place(of: location)
        // Opened under the lock, because two engines with one file would not notify each other.
        return try engines.withLock { engines in
            if let engine = engines[place]?.engine { return engine }
            let now = clock.now
            let engine = try HealthEngine(
                storage: Self.open(place, key),
                configuration: EngineConfiguration(now: { now().timeIntervalSinceReferenceDate }))
            engines = engines.filter { $0.value.engine != nil }
            engines[place] = Entry(engine: engine)
            return engine
        }
    }

    private static func place(of location: HKHealthStore.Configuration.Location) throws -> Place {
        let url: URL
        switch location {
        case .default:
            let path = HKHealthStore.Configuration.defaultStorePath
            if StorageProviders.isAddress(path) { return .database(path) }
            url = URL(fileURLWithPath: path, isDirectory: false)
        case .database(let address): return .database(address)
        case .file(let file): url = file
        case .inMemory(let name): return .memory(name ?? "")
        }
        let folder = url.deletingLastPathComponent()
        do {
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(.unreachable, "The folder \(folder.path) cannot be created.")
        }
        // Links are followed, so that two names of one file are one location.
        let path = folder.resolvingSymlinksInPath().appendingPathComponent(url.lastPathComponent)
        return .file(path.resolvingSymlinksInPath().path)
    }

    /// The address of a database as messages show it.
    static func name(ofDatabase address: String) -> String {
        StorageProviders.withoutPassword(address)
    }

    private static func open(_ place: Place, _ key: HKHealthStore.Configuration.EncryptionKey?) throws
        -> any HealthStorage
    {
        var options = SQLiteOptions()
        switch key {
        case .file(let url): options.encryption = .key(try StoreKey(file: url.path))
        case .passphrase(let passphrase): options.encryption = .key(try StoreKey(passphrase: passphrase))
        case nil: break
        }
        return switch place {
        case .file(let path): try SQLiteStorage(path: path, options: options)
        case .memory: try StorageProviders.shared.openInMemory()
        case .database(let address): try StorageProviders.shared.open(address)
        }
    }
}

extension HKHealthStore {
    /// Returns the engine of the store, which the modules that import and export archives work on. The store is opened if
    /// it isn't. Stores at one location share an engine. Not part of Apple's API.
    ///
    /// - Throws: `StorageError` if the store can't be opened.
    public final func engine() throws -> HealthEngine { try connection.engine() }
}

/// An engine that is already open, as a configuration passes it on.
struct OpenEngine: Sendable {
    let engine: HealthEngine
    /// Whether the device has health data at all.
    let availability: DeviceAvailability
}
