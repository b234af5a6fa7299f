import Foundation
import HealthImport
import HealthStorageFiles
import HealthEngine
import HealthModel
import HealthStorageSQLite

/// An encrypted store compared with one that isn't: an import and daily statistics, as whole processes; and daily sums
/// in a program that has the store open.
enum EncryptionMeasurement {
    static func run(_ setting: Setting) async throws -> Measurement {
        let key = setting.data.appendingPathComponent("encryption.key").path
        unlink(key)
        try StoreKey.makeFile(at: key)
        defer { unlink(key) }
        let archive = try Archives(in: setting).xml
        var (imports, statistics) = (Comparison(), Comparison())
        for round in 0...setting.pairs(7) {
            let (encrypted, plain) = (try setting.freshStore("encrypted.store"), try setting.freshStore("plain.store"))
            func hk(_ words: [String], _ store: URL) throws -> MeasuredProcess {
                try MeasuredProcess.run(
                    setting.program("hk"),
                    words + ["--store", store.path] + (store == encrypted ? ["--key-file", key] : []), in: setting)
            }
            let words = ["import", archive.path, "--json"]
            let (ours, other) = (try hk(words, encrypted), try hk(words, plain))
            let sums = ["stats", "steps", "--every", "day", "--json"]
            let (ourSums, otherSums) = (try hk(sums, encrypted), try hk(sums, plain))
            guard ourSums.output == otherSums.output else {
                throw BenchError("The statistics of the encrypted store differ")
            }
            // The first round only warms up the caches.
            guard round > 0 else { continue }
            imports.add(ours.cost, other.cost)
            statistics.add(ourSums.cost, otherSums.cost)
        }
        for name in ["encrypted.store", "plain.store"] {
            try setting.removeStore(setting.data.appendingPathComponent(name))
        }
        return Measurement(lines: [
            Line("encryption: import export.xml, encrypted : not", imports, target: .atMost(1.3)),
            Line("encryption: daily sums of steps, a process, encrypted : not", statistics, target: .atMost(1.3)),
            Line(
                "encryption: daily sums of 1,000,000 steps, engine, encrypted : not", try await sums(setting, key),
                target: .atMost(1.3)),
        ])
    }

    /// Daily sums of a million steps, with both stores open.
    private static func sums(_ setting: Setting, _ key: String) async throws -> Comparison {
        let history = StepHistory(count: 1_000_000)
        let engines = try ["encrypted.store", "plain.store"].map { name in
            var options = SQLiteOptions()
            options.encryption = name == "encrypted.store" ? .key(try StoreKey(file: key)) : .none
            let engine = try HealthEngine(storage: SQLiteStorage(path: setting.freshStore(name).path, options: options))
            _ = try BulkImport(engine: engine).commit(
                BulkBatch(columns: [history.columns], dictionaries: history.dictionaries))
            return engine
        }
        return try await DailySumsMeasurement.compare(engines[0], engines[1], history, setting)
    }
}
