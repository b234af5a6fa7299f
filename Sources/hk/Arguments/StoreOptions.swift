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

    /// Opens the engine over the store, making the file and its folder if they are not there.
    func openEngine() throws -> HealthEngine {
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
    func openStore(calendar: Calendar = RangeOptions.machineCalendar) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: .file(URL(fileURLWithPath: path)),
                application: HKHealthStore.Configuration.Application(
                    bundleIdentifier: "org.openhealthkit.hk", name: "hk", version: HealthCommand.configuration.version),
                authorization: .allowAll, clock: Present.clock, calendar: calendar))
    }
}
