import Foundation

/// Runs all measurements and prints one table.
@main
enum Bench {
    static func main() async {
        do {
            if try ObserversMeasurement.writeIfAsked() { return }
            try await run(try Setting(arguments: CommandLine.arguments))
        } catch {
            FileHandle.standardError.write(Data("bench: \(error)\n".utf8))
            exit(1)
        }
    }

    private static func run(_ setting: Setting) async throws {
        var all = Measurement()
        var failed: [String] = []
        func add(_ name: String, of group: String? = nil, _ measure: () async throws -> Measurement) async throws {
            guard setting.isSelected(name, group: group) else { return }
            FileHandle.standardError.write(Data("measuring: \(name) …\n".utf8))
            // One that fails doesn't take the hour of the others with it.
            do {
                let measurement = try await measure()
                all.lines += measurement.lines
                all.notes += measurement.notes
            } catch {
                FileHandle.standardError.write(Data("\(name) failed: \(error)\n".utf8))
                failed.append(name)
            }
        }
        try await add("import") { try ImportMeasurement.run(setting) }
        try await add("devices") { try DevicesMeasurement.run(setting) }
        try await add("folder") { try FolderMeasurement.run(setting) }
        try await add("export") { try ExportMeasurement.run(setting) }
        try await add("frames") { try FramesMeasurement.run(setting) }
        // A quick run generates no archive of gigabytes unless it is asked to.
        if setting.only.contains("archive") || setting.thoroughness == 1 {
            try await add("archive") { try LargeArchiveMeasurement.run(setting) }
        }
        if ["sums", "objects", "codec", "sql"].contains(where: { setting.isSelected($0) }) {
            let stores = try StepStores(count: 1_000_000, in: setting)
            try await add("objects") { try await SampleObjectsMeasurement.run(setting, stores) }
            try await add("sql") { try await SQLMeasurement.run(setting, stores) }
            try await add("sums") { try await DailySumsMeasurement.run(setting, stores) }
            try await add("codec") { try PageCodecMeasurement.run(setting, stores.history) }
        }
        try await add("encryption") { try await EncryptionMeasurement.run(setting) }
        try await add("save") { try await SaveMeasurement.run(setting) }
        try await add("workout") { try await WorkoutMeasurement.run(setting) }
        try await add("fixtures") { try await FixturesMeasurement.run(setting) }
        try await add("receive") { try await ReceiveMeasurement.run(setting) }
        // A quick run writes no ten million samples unless it is asked to.
        if setting.only.contains("changes") || setting.thoroughness == 1 {
            try await add("changes") { try await ChangesMeasurement.run(setting) }
        }
        try await add("load") { try LoadMeasurement.run(setting) }
        try await add("size") { try await SizeMeasurement.run(setting) }
        try await add("observers") { try ObserversMeasurement.run(setting) }
        for part in PostgreSQLMeasurement.parts {
            try await add(part.name, of: "postgresql") { try await PostgreSQLMeasurement.run(setting, part) }
        }
        try await add("cluster", of: "postgresql") { try ClusterMeasurement.run(setting) }
        try await add("queries", of: "server") { try QueriesMeasurement.run(setting) }
        try await add("ingest", of: "server") { try IngestMeasurement.run(setting) }
        try await add("upload", of: "server") { try UploadMeasurement.run(setting) }
        try await add("streams", of: "server") { try StreamsMeasurement.run(setting) }
        try await add("page", of: "server") { try PageMeasurement.run(setting) }
        let report = Report(lines: all.lines, machine: Machine(setting), notes: all.notes)
        print(report.text)
        guard failed.isEmpty else { throw Failure(names: failed) }
        if let document = setting.document { try report.write(into: document) }
    }

    /// Measurements that failed. The document keeps its table then: it is that of one run.
    private struct Failure: Error, CustomStringConvertible {
        let names: [String]
        var description: String { "Not all was measured: \(names.joined(separator: ", ")) failed." }
    }
}
