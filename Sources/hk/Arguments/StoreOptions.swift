import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthStorageSQLite

/// The options every command has: which store, and how to answer.
struct StoreOptions: ParsableArguments {
    @Option(name: .long, help: "The store's file.", completion: .file())
    var store: String?

    @Flag(name: .long, help: "Answer with one JSON value.")
    var json = false

    /// The file the options lead to.
    var path: String {
        store ?? HKHealthStore.Configuration.defaultStorePath
    }

    /// - Throws: ``UsageError`` where there is no store: a command that only reads makes none.
    func expectStore() throws {
        guard FileManager.default.fileExists(atPath: path) else {
            throw UsageError("There is no store at “\(path)”.")
        }
    }

    /// Opens the engine over the store.
    ///
    /// - Parameter making: Whether the file and its folder are made where they are not there, as a command that
    ///   writes wants it; others throw ``UsageError``.
    func openEngine(making: Bool = false) throws -> HealthEngine {
        if !making { try expectStore() }
        let folder = URL(fileURLWithPath: path).deletingLastPathComponent()
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        return try HealthEngine(storage: SQLiteStorage(path: path))
    }

    /// The zone the person lives in, where it was named when an archive was imported.
    func personTimeZone() throws -> TimeZone? {
        guard FileManager.default.fileExists(atPath: path) else { return nil }
        return try openEngine().importNotes()[HealthEngine.timeZoneNote].flatMap { TimeZone(identifier: $0) }
    }

    /// Opens the store as a program does. The person who sits here may read everything.
    ///
    /// - Parameter calendar: cuts the days of activity summaries.
    /// - Throws: ``UsageError`` where there is no store.
    func openStore(calendar: Calendar = RangeOptions.machineCalendar) throws -> HKHealthStore {
        try expectStore()
        return HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)),
                application: HKHealthStore.Configuration.Application(
                    bundleIdentifier: "org.openhealthkit.hk", name: "hk", version: HealthCommand.configuration.version),
                authorization: .allowAll, clock: Present.clock, calendar: calendar))
    }
}
