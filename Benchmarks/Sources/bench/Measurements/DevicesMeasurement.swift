import Foundation
import HealthDevices
import HealthFiles

/// Reading a FIT file into HealthKit's samples, compared with reading it with Garmin's library for Python and with
/// fitdecode; a complete, committed import of the file, and of an archive of Fitbit's, compared with Python's json module,
/// as whole processes.
enum DevicesMeasurement {
    private struct Answer: Decodable {
        var types: [String: Int]
    }

    /// The seconds of the ride, each with a record of ten fields.
    private static let count = 36_000
    private static let gpsbabel = URL(fileURLWithPath: "/usr/bin/gpsbabel")

    static func run(_ setting: Setting) throws -> Measurement {
        let python = URL(fileURLWithPath: "../.build/python/bin/python")
        guard [python, gpsbabel].allSatisfy({ FileManager.default.isExecutableFile(atPath: $0.path) }) else {
            return Measurement(notes: [
                "Files of devices were not measured: install what else reads them with make packages-bench."
            ])
        }
        let file = setting.data.appendingPathComponent("ride.fit")
        func script(_ arguments: String...) throws -> MeasuredProcess {
            try MeasuredProcess.run(python, [setting.script("fit.py").path] + arguments, in: setting)
        }
        _ = try script("write", file.path, "\(count)")
        let bytes = [UInt8](try Data(contentsOf: file))
        var (lines, imports): ([Line], [Line]) = ([], [])
        for (name, library) in [("Garmin’s library for Python", "garmin"), ("fitdecode", "fitdecode")] {
            var (comparison, reading) = (Comparison(), Comparison())
            for round in 0...setting.pairs(5) {
                let store = try setting.freshStore("devices.store")
                let ours = try MeasuredProcess.run(
                    setting.program("hk"), ["import", file.path, "--store", store.path, "--json"], in: setting)
                let other = try script(library, file.path)
                try setting.removeStore(store)
                let added = try JSONDecoder().decode(Answer.self, from: Data(ours.output.utf8)).types
                let rates = added["HKQuantityTypeIdentifierHeartRate"]
                let printed = other.output.split(whereSeparator: \.isWhitespace).compactMap { Double($0) }
                let began = Cost.now
                let read = FITReader.read(bytes, recoversDamaged: false).count
                let cost = Cost.now - began
                // A workout, its route, four types of samples, and the distances between records.
                guard rates == count, printed.count == 3, printed[0] == Double(count), read == 2 + 5 * count - 1 else {
                    throw BenchError("The import added \(rates ?? 0) heart rates; \(name) printed: \(other.output)")
                }
                // The first round only warms up the caches.
                guard round > 0 else { continue }
                comparison.add(ours.cost, other.cost)
                reading.add(cost, Cost(wall: printed[1], processor: printed[2]))
            }
            lines.append(
                Line(
                    "read a FIT file of ten hours into samples : reading it with \(name)", faster: reading,
                    target: .atLeast(50)))
            imports.append(
                Line("import that file, as a process : reading it with \(name), as a process", faster: comparison))
        }
        return Measurement(lines: lines + imports + (try route(file, setting)) + (try fitbit(setting, python)))
    }

    /// Writing the route of the ride as GPX, with its heart rates, compared with gpsbabel, which reads and writes that file, as
    /// whole processes.
    private static func route(_ file: URL, _ setting: Setting) throws -> [Line] {
        let store = try setting.freshStore("devices.store")
        let (folder, copy) = (
            setting.data.appendingPathComponent("routes"), setting.data.appendingPathComponent("copy.gpx")
        )
        defer { for url in [folder, copy] { try? FileManager.default.removeItem(at: url) } }
        let hk = setting.program("hk")
        _ = try MeasuredProcess.run(hk, ["import", file.path, "--store", store.path, "--quiet"], in: setting)
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            try? FileManager.default.removeItem(at: folder)
            let ours = try MeasuredProcess.run(
                hk, ["export", folder.path, "--format", "gpx", "--store", store.path, "--quiet"], in: setting)
            let written = try FileManager.default.contentsOfDirectory(at: folder, includingPropertiesForKeys: nil)
                .filter { $0.pathExtension == "gpx" }
            guard written.count == 1 else { throw BenchError("The export wrote \(written.count) files") }
            let other = try MeasuredProcess.run(
                gpsbabel, ["-i", "gpx", "-f", written[0].path, "-o", "gpx", "-F", copy.path], in: setting)
            if round > 0 { comparison.add(ours.cost, other.cost) }
        }
        try setting.removeStore(store)
        return [Line("export that ride as GPX : gpsbabel copying the file", comparison, target: .atMost(1))]
    }

    /// The days of an archive of Fitbit's, and the heart rates of each.
    private static let (days, rates) = (200, 16_000)

    /// A complete, committed import of many small JSON files, compared with reading the same files with Python's json
    /// module.
    private static func fitbit(_ setting: Setting, _ python: URL) throws -> [Line] {
        let folder = setting.data.appendingPathComponent("fitbit")
        defer { try? FileManager.default.removeItem(at: folder) }
        func script(_ arguments: String...) throws -> MeasuredProcess {
            try MeasuredProcess.run(python, [setting.script("fitbit.py").path] + arguments, in: setting)
        }
        _ = try script("write", folder.path, "\(days)", "\(rates)")
        var comparison = Comparison()
        var peak = 0
        for round in 0...setting.pairs(3) {
            let store = try setting.freshStore("devices.store")
            let ours = try MeasuredProcess.run(
                setting.program("hk"), ["import", folder.path, "--store", store.path, "--json"], in: setting)
            let other = try script("read", folder.path)
            try setting.removeStore(store)
            let added = try JSONDecoder().decode(Answer.self, from: Data(ours.output.utf8)).types
            let count = added["HKQuantityTypeIdentifierHeartRate"]
            guard count == days * rates,
                Int(other.output.trimmingCharacters(in: .whitespacesAndNewlines)) == days * rates
            else { throw BenchError("The import added \(count ?? 0) heart rates; Python printed: \(other.output)") }
            guard round > 0 else { continue }
            comparison.add(ours.cost, other.cost)
            peak = max(peak, ours.peakMemory)
        }
        return [
            Line(
                "import \(days) days of Fitbit’s heart rates : reading them with Python’s json", faster: comparison,
                target: .atLeast(5)),
            Line(
                what: "peak memory of that import", ours: Figure.megabytes(peak), figure: Double(peak) / 1e6,
                unit: "MB",
                target: .atMost(200)),
        ]
    }
}
