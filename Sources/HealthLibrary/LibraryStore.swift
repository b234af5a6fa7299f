import AppleHealthExport
import AppleHealthGenerator
import Foundation
import HealthAnswers
import HealthArrow
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite

/// A store that is open, of which questions are asked.
final class LibraryStore: QuestionContext {
    static let version = "0.1.0"

    /// The person, who may read everything. Samples that they add have the source `openhealthkit`.
    static let caller = Caller(
        revision: SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "org.openhealthkit.library", name: "openhealthkit"),
            version: version), permission: .owner)

    let engine: HealthEngine
    private let location: HKHealthStore.Configuration.Location
    private let clock: HKHealthStore.Configuration.Clock
    private let timeZone: TimeZone?

    var now: Date { clock.now() }

    /// The options of a store.
    private struct Options: Decodable {
        var path: String?
        var create: Bool?
        var keyFile: String?
        var passphrase: String?
        var timeZone: String?
        var now: String?
        var demo: Int?
        var seed: UInt64?
    }

    /// Opens a store.
    ///
    /// - Throws: ``ParameterError`` for invalid options, and what opening throws.
    init(options json: [UInt8]) throws {
        let options = try LibraryOptions.decode(Options.self, json)
        let zone = try options.timeZone.map(QueryParameters.timeZone)
        timeZone = zone
        let now = try options.now.map { try LibraryOptions.instant($0, zone ?? .current) }
        clock = now.map { now in .init(now: { now }, after: HKHealthStore.Configuration.Clock.system.after) } ?? .system
        let configuration = EngineConfiguration(now: { [clock] in clock.now().timeIntervalSinceReferenceDate })
        if let records = options.demo {
            location = .inMemory(name: nil)
            engine = try HealthEngine(storage: StorageProviders.shared.openInMemory(), configuration: configuration)
            try fill(records: records, seed: options.seed ?? 1, timeZone: zone ?? .current)
            return
        }
        let path = options.path ?? HKHealthStore.Configuration.defaultStorePath
        if StorageProviders.isAddress(path) {
            location = .database(path)
            engine = try HealthEngine(
                storage: StorageProviders.shared.open(path, creating: options.create ?? false),
                configuration: configuration)
            return
        }
        location = .file(URL(fileURLWithPath: path, isDirectory: false))
        var file = SQLiteOptions()
        file.creates = options.create ?? false
        file.createsDirectories = file.creates
        if let keyFile = options.keyFile {
            file.encryption = .key(try StoreKey(file: keyFile))
        } else if let passphrase = options.passphrase {
            file.encryption = .key(try StoreKey(passphrase: passphrase))
        }
        engine = try HealthEngine(
            storage: SQLiteStorage(path: path, options: file), configuration: configuration)
    }

    deinit { try? engine.close() }

    /// Imports an archive of a fictional person.
    private func fill(records: Int, seed: UInt64, timeZone: TimeZone) throws {
        guard (0...10_000_000).contains(records) else {
            throw ParameterError("demo", "“\(records)” is not an integer from 0 to 10000000.")
        }
        guard records > 0 else { return }
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("openhealthkit-\(UUID().uuidString)")
        defer { try? FileManager.default.removeItem(at: folder) }
        try FileManager.default.createDirectory(
            at: folder, withIntermediateDirectories: true, attributes: [.posixPermissions: 0o700])
        var options = GeneratorOptions(records: records, seed: seed, exportDate: now, timeZone: timeZone)
        // With routes and electrocardiograms.
        options.dialect = ArchiveDialect("18")
        let path = folder.appendingPathComponent("export").path
        try ArchiveGenerator(options: options).write(toPath: path)
        _ = try ArchiveImporter.run(
            path: path, options: ImportOptions(timeZone: timeZone.identifier), opening: { engine })
    }

    // MARK: Questions

    func read<Value: Sendable>(
        _ work: @escaping @Sendable (HealthEngine, Caller) throws -> Value
    ) async throws -> Value {
        try work(engine, Self.caller)
    }

    func healthStore(calendar: Calendar) -> HKHealthStore {
        HKHealthStore(
            configuration: HKHealthStore.Configuration(
                location: location,
                application: HKHealthStore.Configuration.Application(
                    bundleIdentifier: Self.caller.revision.source.bundleIdentifier,
                    name: Self.caller.revision.source.name, version: Self.version),
                authorization: .allowAll, clock: clock, calendar: calendar),
            engine: engine, availability: DeviceAvailability())
    }

    /// The person's days: Gregorian, with weeks from Monday, in the time zone given at opening or at import.
    func setting() throws -> QuestionSetting {
        var calendar = Calendar(identifier: .gregorian)
        calendar.firstWeekday = 2
        calendar.timeZone = try personTimeZone()
        return QuestionSetting(engine: engine, caller: Self.caller, calendar: calendar, now: now)
    }

    private func personTimeZone() throws -> TimeZone {
        if let timeZone { return timeZone }
        let imported = try engine.imports.metadata(ImportHistory.timeZoneKey)
        return imported.flatMap { TimeZone(identifier: $0) } ?? .current
    }
}
