import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Synchronization

/// The options of every command: the store, and the output format.
struct StoreOptions: ParsableArguments {
    @Option(
        name: .long, help: "The store: a file, or an address such as postgresql://host/database?person=NAME.",
        completion: .file())
    var store: String?

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    @OptionGroup var key: KeyOptions

    func validate() throws {
        if store != nil, DemoStore.isWanted { throw ValidationError("--demo and --store can’t be combined.") }
    }

    /// The path of the store file, or the address of its database.
    var path: String {
        store ?? HKHealthStore.Configuration.defaultStorePath
    }

    /// Whether the store is in a database.
    var isDatabase: Bool { StorageProviders.isAddress(path) }

    /// The store as messages name it.
    var name: String { isDatabase ? StorageProviders.withoutPassword(path) : path }

    /// The path of an auxiliary file of the store: beside its file, also if the store's path is a symbolic link, or
    /// for a database in `$XDG_STATE_HOME/openhealthkit` (`~/.local/state` if unset), readable by this user only.
    func auxiliaryFilePath(_ suffix: String) throws -> String {
        guard isDatabase else { return "\(SQLiteStorage.pathOfFile(at: path)).\(suffix)" }
        let folder = Self.stateFolder
        try FileManager.default.createDirectory(
            atPath: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        return "\(folder)/\(Self.hash(name)).\(suffix)"
    }

    /// `$XDG_STATE_HOME/openhealthkit`, by default in `~/.local/state`: what isn't part of a store.
    static var stateFolder: String {
        let environment = ProcessInfo.processInfo.environment
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
        return state + "/openhealthkit"
    }

    /// A short name for a file, the same on every run and machine.
    static func hash(_ text: String) -> String {
        String(FNV1a.hash(text.utf8), radix: 16)
    }

    /// - Throws: ``UsageError`` if there is no store. Commands that only read never create one.
    func expectStore() throws {
        // A database says so itself.
        guard !isDatabase else { return }
        guard FileManager.default.fileExists(atPath: path) else {
            throw UsageError(
                "No store found at “\(path)”. Use “hk import” to create one, or “hk --demo types” to look around.")
        }
    }

    /// The engine over the store for what a command reads: opened once, and closed when the command ends.
    ///
    /// - Throws: ``UsageError`` if there is no store.
    func engine() throws -> HealthEngine {
        try CommandEngine.shared.engine(at: path) {
            try openEngine(configuration: Self.configuration)
        }
    }

    /// The settings of a command that has one time for all that it does.
    static let configuration = EngineConfiguration(now: { CurrentTime.now.timeIntervalSinceReferenceDate })

    /// Opens an engine of the caller's own over the store.
    ///
    /// - Parameters:
    ///   - creating: Whether to create a missing file and its folder, as commands that write do.
    ///   - configuration: The settings of the engine.
    /// - Throws: ``UsageError`` if there is no store and `creating` is `false`.
    func openEngine(creating: Bool = false, configuration: EngineConfiguration = .init()) throws -> HealthEngine {
        if isDatabase {
            return try HealthEngine(
                storage: StorageProviders.shared.open(path, creating: creating), configuration: configuration)
        }
        if !creating { try expectStore() }
        if creating {
            let folder = URL(fileURLWithPath: path, isDirectory: false).deletingLastPathComponent()
            try FileManager.default.createDirectory(
                at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        }
        var file = SQLiteOptions()
        file.creates = creating
        return try HealthEngine(storage: SQLiteStorage(path: path, options: file), configuration: configuration)
    }

    /// The person's time zone, if one was given when an archive was imported.
    func personTimeZone() throws -> TimeZone? {
        guard isDatabase || FileManager.default.fileExists(atPath: path) else { return nil }
        return try engine().imports.metadata(ImportHistory.timeZoneKey).flatMap { TimeZone(identifier: $0) }
    }
}

/// The engine of the command that runs. Most commands read several things, and opening and closing a store for each
/// took longer than reading.
final class CommandEngine: Sendable {
    static let shared = CommandEngine()

    private let opened = Mutex<(path: String, engine: HealthEngine)?>(nil)

    /// The engine at `path`, opened by `open` if it isn't yet.
    func engine(at path: String, open: () throws -> HealthEngine) throws -> HealthEngine {
        try opened.withLock { opened in
            if let opened, opened.path == path { return opened.engine }
            let engine = try open()
            opened = (path, engine)
            return engine
        }
    }

    /// Closes the engine when the command has ended.
    func close() {
        let engine = opened.withLock { opened in
            defer { opened = nil }
            return opened?.engine
        }
        try? engine?.close()
    }
}

/// The key of an encrypted store.
struct KeyOptions: ParsableArguments {
    @Option(
        name: .long, help: "The key file of an encrypted store; a new store is encrypted with it.", completion: .file())
    var keyFile: String?

    func validate() throws {
        // Where the keyring finds it. Programs that this one starts don't get it.
        if let keyFile { setenv("HEALTHKIT_KEY_FILE", URL(fileURLWithPath: keyFile).path, 1) }
    }
}

extension Caller {
    /// The person at the command line, who may read everything. Samples they add have the source `hk`.
    static let person = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.openhealthkit.hk", name: "hk"), version: HealthCommand.version),
        permission: .owner)
}

/// A temporary copy of the store for dry runs, readable by its owner only and removed on deinitialization.
final class StoreCopy: Sendable {
    let engine: HealthEngine
    private let folder: URL

    /// Copies the store that the options name, or creates an empty one if there is no store.
    init(of options: StoreOptions) throws {
        guard !options.isDatabase else {
            throw UsageError(
                "A dry run needs a copy of the store, which only a store file can be: use --store with a file.")
        }
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-copy-\(UUID().uuidString)")
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        do {
            let copy = folder.appendingPathComponent("copy.sqlite").path
            // An empty file is as good as none to an import.
            let attributes = try? FileManager.default.attributesOfItem(atPath: options.path)
            if let size = attributes?[.size] as? NSNumber, size.intValue > 0 {
                let original = try SQLiteStorage(path: options.path)
                try original.copy(to: copy)
                try original.close()
            }
            engine = try HealthEngine(storage: SQLiteStorage(path: copy))
        } catch {
            try? FileManager.default.removeItem(at: folder)
            throw error
        }
    }

    deinit { remove() }

    /// Removes the copy, which can't be used any more.
    func remove() {
        try? engine.close()
        try? FileManager.default.removeItem(at: folder)
    }
}

/// An invalid argument that is only detected when the command runs, such as an unknown type.
///
/// The exit status is that of an invalid option.
struct UsageError: Error, CustomStringConvertible {
    let description: String

    init(_ description: String) {
        self.description = description
    }
}

/// People whose stores couldn't be read: the answer was printed, but it isn't that of the whole cohort.
struct UnreadablePeople: Error, CustomStringConvertible {
    let count: Int
    let total: Int

    var description: String {
        "The stores of \(count) of \(total) people can’t be read. The answer is without them."
    }
}
