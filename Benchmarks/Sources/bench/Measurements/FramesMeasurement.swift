import Foundation

/// Data frames from a store with the Python package, compared with what the same frames take from a file, within one process
/// of Python each.
enum FramesMeasurement {
    private struct Times: Decodable {
        /// Pairs of seconds, and of seconds of the processor: ours, the other.
        var parquet: [[Double]]
        var csv: [[Double]]
        var sums: [Double]
        var `import`: [Double]
    }

    private struct Memory: Decodable {
        var count: Int
        var frame: Int
        var peak: Int
    }

    private static let python = URL(fileURLWithPath: "../.build/python/bin/python")

    static func run(_ setting: Setting) throws -> Measurement {
        let library = setting.program("libopenhealthkit.so")
        guard [python, library].allSatisfy({ FileManager.default.fileExists(atPath: $0.path) }) else {
            return Measurement(notes: [
                "Data frames were not measured: install Python's packages with make packages-bench."
            ])
        }
        let (store, csv) = (try fill(1_000_000, setting), setting.data.appendingPathComponent("frames.csv"))
        _ = try MeasuredProcess.run(
            setting.program("hk"), ["export", csv.path, "--type", "heartRate", "--store", store.path, "--quiet"],
            in: setting)
        let output = try MeasuredProcess.run(
            python, [script(setting), "times", library.path, store.path, csv.path, "\(setting.pairs(9))"], in: setting)
        let times = try JSONDecoder().decode(Times.self, from: Data(output.output.utf8))
        try setting.removeStore(store)
        for path in [csv.path, csv.path + ".parquet"] { try FileManager.default.removeItem(atPath: path) }
        var lines = [
            Line(
                "a million heart rates into polars : the same from Parquet with polars", comparison(times.parquet),
                target: .atMost(1.5)),
            Line(
                "a million heart rates into polars : our CSV with pandas, times as times",
                faster: comparison(times.csv),
                target: .atLeast(15)),
            milliseconds("daily merged sums of ten years into pandas", times.sums, atMost: 30),
            milliseconds("import of the Python package", times.import, atMost: 60),
        ]
        // A quick run writes no ten million samples.
        if setting.thoroughness == 1 { lines.append(try memory(10_000_000, library, setting)) }
        return Measurement(lines: lines)
    }

    private static func script(_ setting: Setting) -> String { setting.script("frames.py").path }

    /// Makes a store with heart rates and ten years of steps.
    private static func fill(_ count: Int, _ setting: Setting) throws -> URL {
        let (store, archive) = (
            try setting.freshStore("frames.store"), setting.data.appendingPathComponent("frames.xml")
        )
        defer { try? FileManager.default.removeItem(at: archive) }
        guard FileManager.default.createFile(atPath: archive.path, contents: nil) else {
            throw BenchError("\(archive.path) can’t be created")
        }
        let process = Process()
        process.executableURL = python
        process.arguments = [script(setting), "archive", "\(count)"]
        process.standardOutput = try FileHandle(forWritingTo: archive)
        try process.run()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("frames.py wrote no archive") }
        _ = try MeasuredProcess.run(
            setting.program("hk"), ["import", archive.path, "--store", store.path, "--quiet"], in: setting)
        return store
    }

    private static func memory(_ count: Int, _ library: URL, _ setting: Setting) throws -> Line {
        let store = try fill(count, setting)
        let output = try MeasuredProcess.run(
            python, [script(setting), "memory", library.path, store.path], in: setting)
        try setting.removeStore(store)
        let memory = try JSONDecoder().decode(Memory.self, from: Data(output.output.utf8))
        guard memory.count == count else { throw BenchError("The frame has \(memory.count) rows") }
        return Line(
            what: "memory of a process with ten million heart rates in polars, beyond the frame",
            ours: Figure.megabytes(memory.peak), other: Figure.megabytes(memory.frame),
            figure: Double(memory.peak - memory.frame) / 1e6, unit: "MB", target: .atMost(150))
    }

    private static func comparison(_ pairs: [[Double]]) -> Comparison {
        var comparison = Comparison()
        for pair in pairs where pair.count == 4 {
            comparison.add(Cost(wall: pair[0], processor: pair[1]), Cost(wall: pair[2], processor: pair[3]))
        }
        return comparison
    }

    private static func milliseconds(_ what: String, _ seconds: [Double], atMost limit: Double) -> Line {
        Line(
            what: what, ours: Figure.time(seconds.median), figure: seconds.median * 1e3, unit: "ms",
            target: .atMost(limit))
    }
}
