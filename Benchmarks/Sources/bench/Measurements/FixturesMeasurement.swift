import CSQLite
import Foundation
import HealthFixtures
import HealthTesting

/// Stores in memory for tests, made from an archive and from a store file: compared with parsing the archive’s XML with
/// expat and empty handlers, and with SQLite’s own copy of the file into memory.
enum FixturesMeasurement {
    static func run(_ setting: Setting) async throws -> Measurement {
        var lines: [Line] = []
        for (records, name, text, pairs) in [
            (10_000, "fixture", "10,000 records", 15), (Setting.records, "million", "a million records", 5),
        ] {
            let archives = try Archives(in: setting, records: records, name: name)
            let file = try setting.freshStore("fixture.store")
            _ = try MeasuredProcess.run(
                setting.program("hk"), ["import", archives.zip.path, "--store", file.path, "--quiet"], in: setting)
            var parsing = Comparison()
            for round in 0...setting.pairs(pairs) {
                let began = Cost.now
                let store = try TestHealthStore(archive: archives.zip)
                let cost = Cost.now - began
                withExtendedLifetime(store) {}
                let pass = try MeasuredProcess.run(
                    setting.program("expat-pass"), [archives.xml.path], in: setting)
                // The first round only warms up the caches.
                if round > 0 { parsing.add(cost, pass.cost) }
            }
            let copying = try await Comparison.run(pairs: setting.pairs(pairs)) {
                withExtendedLifetime(try TestHealthStore(store: file)) {}
            } other: {
                try copyIntoMemory(file)
            }
            lines += [
                Line("TestHealthStore of a zip of \(text) : expat pass over its XML", parsing),
                Line("TestHealthStore of a store of \(text) : SQLite’s copy of the file into memory", copying),
            ]
            try setting.removeStore(file)
        }
        return Measurement(lines: lines)
    }

    private static func copyIntoMemory(_ file: URL) throws {
        let (source, memory) = (try RowDatabase(path: file.path), try RowDatabase(path: ":memory:"))
        guard let backup = sqlite3_backup_init(memory.handle, "main", source.handle, "main"),
            sqlite3_backup_step(backup, -1) == SQLITE_DONE, sqlite3_backup_finish(backup) == SQLITE_OK
        else { throw BenchError("SQLite can’t copy the file") }
    }
}
