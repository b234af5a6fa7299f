import Foundation
import HealthAccess
import HealthStorage
import HealthStoragePostgreSQL
import Synchronization

/// The stores of a server's people: opened on demand, with a bounded number open, and closed when they have been unused
/// for some time.
public final class StoreDirectory: Sendable {
    /// Where the stores are.
    public let location: StoreLocation

    private struct Entry {
        /// Keeps the store open while it isn't used.
        var kept: PersonStore?
        /// Finds a store that requests still use after it was dropped, so that a file is never opened twice.
        weak var open: PersonStore?
        var lastUse: Date
    }

    private let entries = Mutex<[String: Entry]>([:])
    /// Held while a person's store is opened or removed, which can take as long as a database doesn't answer: other stores
    /// are found meanwhile.
    private let opening = (0..<64).map { _ in NSLock() }
    private let maximumOpen: Int
    private let now: @Sendable () -> Date
    private let onOpen: @Sendable (PersonStore) -> Void

    /// Creates the directory of a location. Nothing is opened.
    public convenience init(location: StoreLocation) {
        self.init(location: location, maximumOpen: ServerLimits().openStores, now: { Date() })
    }

    /// - Parameter onOpen: Called with each store that has been opened, outside locks, on the thread that opened it.
    init(
        location: StoreLocation, maximumOpen: Int, now: @escaping @Sendable () -> Date,
        onOpen: @escaping @Sendable (PersonStore) -> Void = { _ in }
    ) {
        self.location = location
        self.maximumOpen = max(maximumOpen, 1)
        self.now = now
        self.onOpen = onOpen
    }

    // MARK: People

    /// Checks that the stores can be reached, over a separate connection.
    ///
    /// - Throws: ``DirectoryError`` if the folder can't be read; `StorageError` if the database can't be reached.
    func checkReachable() throws {
        switch location {
        case .store: return
        case .folder(let folder):
            guard access(folder, R_OK | X_OK) == 0 || errno == ENOENT else {
                throw DirectoryError("The folder “\(folder)” can’t be read.")
            }
        case .database(let address): try ServerDatabase.at(address).database().checkReachable()
        }
    }

    /// Why the stores can only be read: the database has tables of another version.
    ///
    /// - Throws: `StorageError` if the database can't be reached or its tables can't be read.
    package func limitation() throws -> String? {
        guard case .database(let address) = location else { return nil }
        return try ServerDatabase.at(address).database().limitation
    }

    /// The activity of the connections to the database; none if it isn't open.
    var databaseActivities: [(server: String, maximum: Int, activity: PostgreSQLActivity)] {
        guard case .database(let address) = location else { return [] }
        return ServerDatabase.at(address).openDatabase?.activities ?? []
    }

    /// Returns whether there is such a person.
    ///
    /// - Throws: `StorageError` if a database can't be asked.
    public func exists(_ person: String) throws -> Bool {
        guard PersonIdentifier.isValid(person) else { return false }
        switch location {
        case .store: return person == StoreLocation.onlyPerson
        case .folder: return location.storePath(of: person).map(FileManager.default.fileExists(atPath:)) == true
        case .database(let address): return try ServerDatabase.at(address).database().hasPerson(person)
        }
    }

    /// Adds a person with an empty store.
    ///
    /// - Throws: ``DirectoryError`` if the identifier is invalid or taken, and storage errors.
    public func create(_ person: String, name: String? = nil) throws {
        if case .store = location {
            throw DirectoryError(
                "This server has one store. Use --data with a folder or a database for several people.")
        }
        guard PersonIdentifier.isValid(person) else {
            throw DirectoryError(
                "“\(person)” can’t be an identifier. Use up to 64 letters, digits and . _ - @, beginning with a letter or a digit."
            )
        }
        guard try !exists(person) else { throw DirectoryError("“\(person)” already exists.", isConflict: true) }
        let name = try name.map { try Self.checked(name: $0) }
        // A token can have been made for another person of this name while that one was removed.
        try AccessRegistry(location: location).removePerson(person)
        if case .database(let address) = location {
            let database = try ServerDatabase.at(address).database()
            _ = try database.storage(ofPerson: person)
            return try database.setTitle(name, ofPerson: person)
        }
        guard case .folder(let folder) = location else { return }
        let own = folder + "/" + person
        do {
            try FileManager.default.createDirectory(
                atPath: own, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
            if let name { try write(name, of: person) }
        } catch {
            throw DirectoryError("The folder “\(own)” can’t be created.")
        }
        try PersonStore(person: person, location: location, creating: true, now: now).close()
    }

    /// Deletes a person's store and everything with it.
    ///
    /// - Throws: ``DirectoryError`` if there is no such person, or its files can't be deleted.
    public func remove(_ person: String) throws {
        let isOnly = if case .store = location { true } else { false }
        guard try !isOnly && exists(person) else { throw DirectoryError("Person “\(person)” not found.") }
        let lock = lock(ofOpening: person)
        lock.lock()
        defer { lock.unlock() }
        let open = entries.withLock { entries in
            defer { entries[person] = nil }
            return entries[person]?.open
        }
        open?.close()
        if case .database(let address) = location {
            try ServerDatabase.at(address).database().removePerson(person)
            // Uploads and journals, which another person of this name mustn't get.
            try? FileManager.default.removeItem(atPath: location.workFolder(of: person))
            return
        }
        guard case .folder(let folder) = location else { return }
        do {
            try FileManager.default.removeItem(atPath: folder + "/" + person)
        } catch {
            throw DirectoryError("The folder of “\(person)” can’t be deleted.")
        }
    }

    /// Changes the name that is shown to people. The identifier stays.
    ///
    /// - Throws: ``DirectoryError`` if there is no such person or the text can't be a name, and storage errors.
    @discardableResult
    public func rename(_ person: String, _ name: String) throws -> PersonSummary {
        let name = try Self.checked(name: name)
        guard try exists(person) else { throw DirectoryError("Person “\(person)” not found.") }
        if case .database(let address) = location {
            try ServerDatabase.at(address).database().setTitle(name, ofPerson: person)
        } else {
            do {
                try write(name, of: person)
            } catch {
                throw DirectoryError("The name of “\(person)” can’t be written.")
            }
        }
        return PersonSummary(person: person, name: name)
    }

    /// A name without white space at its ends.
    private static func checked(name: String) throws -> String {
        let name = name.trimmingCharacters(in: .whitespacesAndNewlines)
        guard (1...100).contains(name.unicodeScalars.count),
            !name.unicodeScalars.contains(where: { $0.properties.generalCategory == .control })
        else { throw DirectoryError("A name has 1 to 100 characters.") }
        return name
    }

    /// The file of a person's name: in the person's folder, or in that of the server over one store.
    private func nameFile(of person: String) -> String {
        if case .folder(let folder) = location { return folder + "/" + person + "/name" }
        return location.serverFolder + "/name"
    }

    private func write(_ name: String, of person: String) throws {
        let file = URL(fileURLWithPath: nameFile(of: person))
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true,
            attributes: [.posixPermissions: 0o700])
        try Data(name.utf8).write(to: file, options: .atomic)
    }

    func name(of person: String) -> String {
        guard let text = try? String(contentsOfFile: nameFile(of: person), encoding: .utf8), !text.isEmpty else {
            return person
        }
        return text
    }

    // MARK: Stores

    /// The open store of a person, without opening it; `nil` as well if another program has removed it.
    func openStore(of person: String) -> PersonStore? {
        let (store, isCurrent) = entries.withLock { entries -> (PersonStore?, Bool) in
            guard let store = entries[person]?.open else { return (nil, false) }
            guard !store.isRemoved else {
                entries[person] = nil
                return (store, false)
            }
            entries[person]?.kept = store
            entries[person]?.lastUse = now()
            return (store, true)
        }
        return isCurrent ? store : nil
    }

    /// The store of a person, opened if necessary. Reads the disk, so it must run on the pool.
    ///
    /// - Throws: ``Problem`` `notFound` if there is no such person; storage errors.
    func store(of person: String) throws -> PersonStore {
        if let store = openStore(of: person) { return store }
        // By one thread, because two engines with one file would not notify each other.
        let (store, isNew) = try lock(ofOpening: person).withLock { () -> (PersonStore, Bool) in
            if let store = openStore(of: person) { return (store, false) }
            let store = try open(person)
            let dropped = entries.withLock { entries in
                entries[person] = Entry(kept: store, open: store, lastUse: now())
                let excess = entries.count { $0.value.kept != nil } - maximumOpen
                return (0..<max(excess, 0)).compactMap { _ in Self.dropOldest(&entries) }
            }
            // Released outside the lock of the entries, because closing reads and writes the disk.
            withExtendedLifetime(dropped) {}
            return (store, true)
        }
        if isNew { onOpen(store) }
        return store
    }

    private func lock(ofOpening person: String) -> NSLock {
        opening[Int(UInt(bitPattern: person.hashValue) % UInt(opening.count))]
    }

    /// Opens the store of a person.
    private func open(_ person: String) throws -> PersonStore {
        // A database is asked for the person with the store.
        let isDatabase = if case .database = location { true } else { false }
        guard try isDatabase ? PersonIdentifier.isValid(person) : exists(person) else { throw Self.notFound }
        // The only store is created on first use, as by every other command.
        let isOnly = if case .store = location { true } else { false }
        func store() throws -> PersonStore {
            try PersonStore(person: person, location: location, creating: isOnly, now: now)
        }
        do {
            return try store()
        } catch let error as StorageError where error.kind == .removed {
            // There can be another person of this name by now.
            do {
                return try store()
            } catch let error as StorageError where error.kind == .removed {
                throw Self.notFound
            }
        }
    }

    private static var notFound: Problem { Problem(.notFound, "Person not found on this server.") }

    /// Closes the stores that have been unused for a number of seconds. A store that a request or a stream still uses
    /// is closed when that ends.
    func closeUnused(for seconds: TimeInterval) {
        let limit = now().addingTimeInterval(-seconds)
        let dropped = entries.withLock { entries in
            let unused = entries.filter { $0.value.lastUse <= limit }
            for person in unused.keys { entries[person]?.kept = nil }
            entries = entries.filter { $0.value.open != nil }
            return unused.values.compactMap(\.kept)
        }
        withExtendedLifetime(dropped) {}
    }

    /// The number of open stores.
    var openCount: Int { entries.withLock { $0.values.count { $0.open != nil } } }

    /// Closes all stores. Requests that still use one fail.
    public func close() {
        let stores = entries.withLock { entries in
            defer { entries = [:] }
            return entries.values.compactMap(\.open)
        }
        for store in stores { store.close() }
    }

    /// Drops the kept store that was used least recently.
    private static func dropOldest(_ entries: inout [String: Entry]) -> PersonStore? {
        let kept = entries.lazy.filter { $0.value.kept != nil }
        guard let oldest = kept.min(by: { $0.value.lastUse < $1.value.lastUse }) else { return nil }
        entries[oldest.key]?.kept = nil
        return oldest.value.kept
    }
}

/// An error of a store directory, such as an identifier that is taken.
public struct DirectoryError: Error, CustomStringConvertible, Sendable {
    /// The reason, as a sentence.
    public let description: String
    /// Whether the person exists already.
    let isConflict: Bool

    init(_ description: String, isConflict: Bool = false) {
        self.description = description
        self.isConflict = isConflict
    }
}
