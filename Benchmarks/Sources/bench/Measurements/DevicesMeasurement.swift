import Foundation

/// A complete, committed import of a FIT file with the command-line tool, compared with reading the same file with
/// Garmin's library for Python and with fitdecode, as whole processes.
enum DevicesMeasurement {
    private struct Answer: Decodable {
        var types: [String: Int]
    }

    /// The seconds of the ride, each with a record of ten fields.
    private static let count = 36_000

    static func run(_ setting: Setting) throws -> Measurement {
        let python = URL(fileURLWithPath: "../.build/python/bin/python")
        guard FileManager.default.isExecutableFile(atPath: python.path) else {
            return Measurement(notes: [
                "FIT files were not measured: install Python's packages with make packages-bench."
            ])
        }
        let file = setting.data.appendingPathComponent("ride.fit")
        func script(_ arguments: String...) throws -> MeasuredProcess {
            try MeasuredProcess.run(python, [setting.script("fit.py").path] + arguments, in: setting)
        }
        _ = try script("write", file.path, "\(count)")
        var lines: [Line] = []
        for (name, library) in [("Garmin’s library for Python", "garmin"), ("fitdecode", "fitdecode")] {
            var comparison = Comparison()
            for round in 0...setting.pairs(5) {
                let store = try setting.freshStore("devices.store")
                let ours = try MeasuredProcess.run(
                    setting.program("hk"), ["import", file.path, "--store", store.path, "--json"], in: setting)
                let other = try script(library, file.path)
                try setting.removeStore(store)
                let added = try JSONDecoder().decode(Answer.self, from: Data(ours.output.utf8)).types
                let rates = added["HKQuantityTypeIdentifierHeartRate"]
                guard rates == count, Int(other.output.trimmingCharacters(in: .whitespacesAndNewlines)) == count else {
                    throw BenchError("The import added \(rates ?? 0) heart rates; \(name) printed: \(other.output)")
                }
                // The first round only warms up the caches.
                if round > 0 { comparison.add(ours.cost, other.cost) }
            }
            lines.append(
                Line(
                    "import a FIT file of ten hours : reading it with \(name)", faster: comparison, target: .atLeast(50)
                ))
        }
        return Measurement(lines: lines)
    }
}
