import AppleHealthExport
import AppleHealthGenerator
import ArgumentParser
import Foundation
import HealthEngine
import HealthStorageSQLite
import Synchronization

/// The store of a fictional person, which a command finds in place of one's own, and which ends with it: `--demo`.
final class DemoStore: Sendable {
    /// About six weeks, which are generated and imported in less than a second.
    private static let records = 40_000
    /// Commands that have no store, and those that would send its data elsewhere.
    private static let refused: [any ParsableCommand.Type] = [
        SyncCommand.self, CopyCommand.self, DaemonCommand.self, GenerateCommand.self, RedactCommand.self,
        DatabaseCommand.Initialize.self, DatabaseCommand.Check.self, KeyCommand.Make.self,
    ]
    private static let wanted = Mutex(false)
    /// The signal that came while the store of a server was made; 0 for none.
    private static let received = Atomic<Int32>(0)

    /// Whether the command line asks for it.
    static var isWanted: Bool { wanted.withLock { $0 } }

    static func want() { wanted.withLock { $0 = true } }

    private let folder: URL
    private let interrupts: InterruptHandler?

    /// Makes the store in a temporary folder.
    ///
    /// - Throws: ``UsageError`` for a command that would send the data elsewhere or has no store, and what generating
    ///   and importing throw.
    init(for command: any ParsableCommand) throws {
        let kind = type(of: command)
        guard !Self.refused.contains(where: { $0 == kind }) else {
            throw UsageError("This command has no demo. Look around with “hk --demo types”.")
        }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("hk-demo-\(UUID().uuidString)")
        let remove: @Sendable () -> Void = { try? FileManager.default.removeItem(at: folder) }
        self.folder = folder
        // A server stops by itself, with sources of signals that don't get along with earlier ones.
        let isServed = command is ServeCommand
        interrupts = isServed ? nil : InterruptHandler(remove)
        if isServed { Self.deferSignals() }
        // Before a store is made: it isn't encrypted, whatever one’s own is.
        for name in ["HEALTHKIT_KEY_FILE", "HEALTHKIT_PASSPHRASE"] { unsetenv(name) }
        do {
            setenv("HEALTHKIT_STORE", try Self.fill(folder), 1)
        } catch {
            remove()
            throw error
        }
        if isServed { Self.takeSignals(remove) }
        // What isn't part of a store ends as well.
        setenv("XDG_STATE_HOME", folder.path, 1)
        Terminal.printError("Demo: a fictional person. Nothing is stored.\n")
    }

    /// Has the signals that end a process wait.
    private static func deferSignals() {
        // Initialized here, because a handler of signals may not.
        received.store(0, ordering: .relaxed)
        for number in InterruptHandler.signals {
            signal(number) { number in DemoStore.received.store(number, ordering: .relaxed) }
        }
    }

    /// Ends the process by the signal that came meanwhile, after a removal.
    private static func takeSignals(_ remove: () -> Void) {
        for number in InterruptHandler.signals { signal(number, SIG_DFL) }
        let number = received.load(ordering: .relaxed)
        guard number != 0 else { return }
        remove()
        InterruptHandler.end(by: number)
    }

    func remove() {
        try? FileManager.default.removeItem(at: folder)
        interrupts?.end()
    }

    /// Imports an archive of the fictional person, as the latest iOS exports it, and returns the path of the store.
    private static func fill(_ folder: URL) throws -> String {
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var options = GeneratorOptions(records: records, exportDate: CurrentTime.now, timeZone: .current)
        (options.dialect, options.hasDefects) = (ArchiveDialect("26"), false)
        let archive = folder.appendingPathComponent("export")
        try ArchiveGenerator(options: options).write(toPath: archive.path)
        let store = folder.appendingPathComponent("health.sqlite").path
        let engine = try HealthEngine(storage: SQLiteStorage(path: store), configuration: StoreOptions.configuration)
        defer { try? engine.close() }
        _ = try ArchiveImporter.run(
            path: archive.path, options: ImportOptions(timeZone: options.timeZone.identifier), opening: { engine })
        try FileManager.default.removeItem(at: archive)
        return store
    }
}
