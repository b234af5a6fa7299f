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
        func add(_ name: String, of group: String? = nil, _ measure: () async throws -> Measurement) async throws {
            guard setting.isSelected(name, group: group) else { return }
            FileHandle.standardError.write(Data("measuring: \(name) …\n".utf8))
            let measurement = try await measure()
            all.lines += measurement.lines
            all.notes += measurement.notes
        }
        try await add("import") { try ImportMeasurement.run(setting) }
        try await add("devices") { try DevicesMeasurement.run(setting) }
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
        if let document = setting.document { try report.write(into: document) }
    }
}
