import Dispatch
import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStoragePostgreSQL
import HealthStorageFiles
import HealthStorageSQLite
import Synchronization

/// The open store of one person. It is closed when its last user releases it.
final class PersonStore: Sendable {
    /// The identifier of the person.
    let person: String
    /// The path of the store file, or the address of the store in a database.
    let path: String
    /// The location of the store.
    private let place: HKHealthStore.Configuration.Location
    /// The folder of the person's uploads and of state that goes with the store; see ``makeWorkFolder()``.
    let workFolder: String
    /// Seals the journal of ingest, if the store is encrypted.
    private let cipher: JournalCipher?
    /// The engine of the store.
    let engine: HealthEngine
    /// Answers to recent requests.
    let answers: AnswerCache
    /// Notifies event streams and waiting requests of changes.
    let signals = ChangeSignals()

    private struct ConnectionKey: Hashable {
        var bundleIdentifier: String
        var permission: Caller.Permission
        var timeZone: TimeZone
    }

    /// Connections as applications use them. Each observes the store, so they are kept instead of created per request.
    private let connections = Mutex<[ConnectionKey: HKHealthStore]>([:])
    private static let maximumConnections = 32
    private let zone = Mutex<(zone: TimeZone?, date: Date)?>(nil)
    private let now: @Sendable () -> Date
    private let isClosed = Mutex(false)
    /// The store's file among those of many people.
    private let file: FilePlace?

    /// Opens the store, and creates it if the file doesn't exist and `creating` is true.
    ///
    /// - Throws: `StorageError`.
    init(
        person: String, location: StoreLocation, creating: Bool, now: @escaping @Sendable () -> Date
    ) throws {
        let storage = try location.storage(of: person, creating: creating)
        cipher = (storage as? SQLiteStorage)?.deriveKey(for: JournalCipher.purpose).map { JournalCipher($0) }
        engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(now: { now().timeIntervalSinceReferenceDate }))
        (self.person, self.now) = (person, now)
        (path, place) = Self.place(of: person, in: location)
        workFolder = location.workFolder(of: person)
        let isOnly = if case .store = location { true } else { false }
        file = isOnly ? nil : location.storePath(of: person).flatMap { FilePlace($0) }
        answers = AnswerCache(path: location.storePath(of: person))
        answers.observe(engine)
        zone.withLock { $0 = (Self.timeZone(in: engine.openingMetadata), now()) }
        IngestJournal(folder: workFolder, cipher: cipher).adaptToEncryption()
        ExportFolder.removeInterrupted(in: workFolder)
    }

    private static func place(
        of person: String, in location: StoreLocation
    ) -> (path: String, place: HKHealthStore.Configuration.Location) {
        if case .database(let address) = location {
            let path = ServerDatabase.at(address).address(of: person)
            return (path, .database(path))
        }
        let path = location.storePath(of: person) ?? ""
        return (path, .file(URL(fileURLWithPath: path)))
    }

    deinit {
        // The last user may be on an event loop, which must not wait for the disk.
        let engine = engine
        if !isClosed.withLock({ $0 }) {
            DispatchQueue.global().async { try? engine.close() }
        }
    }

    /// Whether another program has removed or replaced the store, as far as is known without asking a database.
    var isRemoved: Bool { file?.isCurrent == false || (engine.storage as? PostgreSQLStorage)?.isRemoved == true }

    /// Closes the store now. Later calls of the engine throw.
    func close() {
        let wasClosed = isClosed.withLock { closed in
            defer { closed = true }
            return closed
        }
        if !wasClosed { try? engine.close() }
    }

    /// A connection to the store as an application uses it.
    ///
    /// - Parameter calendar: Determines the days of activity summaries.
    func healthStore(as caller: Caller, calendar: Calendar) -> HKHealthStore {
        let key = ConnectionKey(
            bundleIdentifier: caller.bundleIdentifier, permission: caller.permission, timeZone: calendar.timeZone)
        if let known = connections.withLock({ $0[key] }) { return known }
        let now = now
        var configuration = HKHealthStore.Configuration(
            location: place,
            application: HKHealthStore.Configuration.Application(
                bundleIdentifier: caller.bundleIdentifier, name: caller.revision.source.name,
                version: caller.revision.version),
            // A token never asks: the person decided when it was made.
            authorization: caller.permission == .table ? .handler { _ in .none } : .allowAll,
            clock: HKHealthStore.Configuration.Clock(
                now: now, after: HKHealthStore.Configuration.Clock.system.after), calendar: calendar)
        configuration.isOtherApplication = true
        let store = HKHealthStore(configuration: configuration, engine: engine, availability: DeviceAvailability())
        return connections.withLock { connections in
            if let known = connections[key] { return known }
            if connections.count >= Self.maximumConnections { connections.removeAll() }
            connections[key] = store
            return store
        }
    }

    // MARK: Time zone

    private static let zoneSeconds = 5.0

    /// The person's time zone, if an import recorded one. It is read again after a few seconds, because other programs
    /// import too. Reads the store, so it must run on the pool.
    func timeZone() throws -> TimeZone? {
        let now = now()
        if let known = zone.withLock({ $0 }), abs(now.timeIntervalSince(known.date)) < Self.zoneSeconds {
            return known.zone
        }
        let found = Self.timeZone(in: try engine.imports.metadata())
        zone.withLock { $0 = (found, now) }
        return found
    }

    private static func timeZone(in metadata: [String: String]) -> TimeZone? {
        metadata[ImportHistory.timeZoneKey].flatMap { TimeZone(identifier: $0) }
    }

    /// The time zone read last and whether it is recent enough to be used without reading the store.
    var knownTimeZone: (zone: TimeZone?, isRecent: Bool) {
        guard let known = zone.withLock({ $0 }) else { return (nil, false) }
        return (known.zone, abs(now().timeIntervalSince(known.date)) < Self.zoneSeconds)
    }

    /// Reads the time zone again at the next request, as after an import.
    func forgetTimeZone() {
        zone.withLock { $0 = nil }
    }

    // MARK: Files

    /// Creates the work folder if necessary, readable by its owner only, and returns its path.
    func makeWorkFolder() throws -> String {
        do {
            try FileManager.default.createDirectory(
                atPath: workFolder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        } catch {
            throw StorageError(.unreachable, "The folder \(workFolder) cannot be created.")
        }
        return workFolder
    }

    /// The journal of ingest, in the work folder.
    func journal() throws -> IngestJournal {
        IngestJournal(folder: try makeWorkFolder(), cipher: cipher)
    }
}

extension Caller {
    /// The person who uses the server. Samples they add have the source Health.
    static let person = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.openhealthkit.server", name: "OpenHealthKit"), version: nil),
        permission: .owner)
}

extension StoreLocation {
    /// Opens the storage of a person, and creates it if it doesn't exist and `creating` is true.
    ///
    /// - Throws: `StorageError`.
    func storage(of person: String, creating: Bool) throws -> any HealthStorage {
        if case .database(let address) = self {
            let database = try ServerDatabase.at(address).database()
            guard !creating else { return try database.storage(ofPerson: person) }
            guard let storage = try database.storage(ofExisting: person) else {
                throw StorageError(.removed, "The database has no store of this person.")
            }
            return storage
        }
        let path = storePath(of: person) ?? ""
        guard creating || FileManager.default.fileExists(atPath: path) else {
            throw StorageError(.unreachable, "No store found at “\(path)”.")
        }
        var options = SQLiteOptions()
        (options.creates, options.createsDirectories, options.createsInEmptyFile) = (creating, creating, false)
        // Besides those of paused SQL statements.
        options.maximumReaders += ServerLimits().statements
        return try SQLiteStorage(path: path, options: options)
    }
}
