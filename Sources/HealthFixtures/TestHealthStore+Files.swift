import AppleHealthExport
public import Foundation
import HealthEngine
import HealthImport
public import HealthKit
import HealthModel
import HealthStorage
import HealthStorageSQLite
public import HealthTesting

extension TestHealthStore {
    /// Creates a store in memory with the contents of an Apple Health export. The files of the export are only read.
    ///
    /// Samples, objects and characteristics are those that an import of the archive gives, also with their sources,
    /// which are not the app under test.
    ///
    /// - Parameters:
    ///   - archive: An `export.zip`, its unpacked folder, or the XML file under any name.
    ///   - application: The app under test.
    ///   - permission: The person’s decision about the app.
    ///   - now: The initial time of the clock; by default the date of the export.
    ///   - calendar: The calendar that determines the days of activity summaries.
    /// - Throws: `ImportError` with the path, and what it leads to instead of an export.
    public convenience init(
        archive: URL, application: HKHealthStore.Configuration.Application = TestHealthStore.exampleApplication,
        permission: TestPermission = .granted, now: Date? = nil, calendar: Calendar = TestHealthStore.utcCalendar
    ) throws {
        self.init(application: application, permission: permission, now: now ?? TestClock.start, calendar: calendar)
        let report = try ArchiveImporter(engine: engine).run(path: archive.path)
        if now == nil, let date = report.exportDate { setClock(date) }
    }

    /// Creates a store in memory with the contents of a store file, which is only read.
    ///
    /// UUIDs, sync identifiers, attachments and everything else are those of the file. Permissions in it remain, except
    /// that ``TestPermission/granted`` and ``TestPermission/denied`` decide about all types for the app under test.
    ///
    /// - Parameters:
    ///   - store: The file.
    ///   - application: The app under test.
    ///   - permission: The person’s decision about the app.
    ///   - now: The initial time of the clock; by default the end of the last sample.
    ///   - calendar: The calendar that determines the days of activity summaries.
    /// - Throws: `StorageError` with the path if there is no store that can be read, such as an encrypted one without
    ///   its key.
    public convenience init(
        store: URL, application: HKHealthStore.Configuration.Application = TestHealthStore.exampleApplication,
        permission: TestPermission = .granted, now: Date? = nil, calendar: Calendar = TestHealthStore.utcCalendar
    ) throws {
        var options = SQLiteOptions()
        (options.creates, options.isReadOnly) = (false, true)
        let file = try SQLiteStorage(path: store.path, options: options)
        defer { try? file.close() }
        let memory = try StorageProviders.shared.openInMemory()
        _ = try StoreTransfer.copy(from: file, to: memory)
        try self.init(
            contents: memory, application: application, permission: permission, now: now ?? TestClock.start,
            calendar: calendar)
        if now == nil, let last = try engine.typeOverview(as: .fixture).map(\.end).max() { setClock(last) }
    }

    /// Nothing waits for the clock yet.
    private func setClock(_ instant: Double) {
        clock.advance(by: instant - clock.now.timeIntervalSinceReferenceDate)
    }
}

extension Caller {
    /// The person, who may read everything.
    static let fixture = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "", name: "")), permission: .owner)
}
