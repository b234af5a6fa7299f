import Foundation

/// The page in headless Chromium on loopback: the first paint of Today on the demo store, and ten years of steps in
/// Trends after a click, from the click until the chart is drawn. A page of a few words is the comparison for the first
/// paint.
enum PageMeasurement {
    private static let samples = 5_000_000

    /// What `scripts/page.py` prints; times are in milliseconds.
    private struct Times: Decodable {
        var blank: [Double]
        var paint: [Double]
        var today: [Double]
        var open: [Double]
        var trends: [Double]
        var trendsAgain: [Double]
        var largest: Int
        var largestURL: String
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let (demo, long) = (try demoStore(setting), try RunningServer.freshStore("page-years.store", setting))
        let today = Int(Date().timeIntervalSinceReferenceDate / StepHistory.day)
        try ServedStores.write(StepHistory(count: samples, firstDay: today - 3_649), into: long)
        let (short, trends) = (try RunningServer(store: demo, in: setting), try RunningServer(store: long, in: setting))
        defer {
            short.stop()
            trends.stop()
        }
        let constant = try RunningProgram(setting.program("constant-server"), ["200"])
        defer { constant.stop() }
        let port = try constant.output { $0.hasSuffix("\n") }.trimmingCharacters(in: .whitespacesAndNewlines)
        let times = try measure(
            [
                "--today", short.signIn, "--trends", trends.signIn, "--blank", "http://localhost:\(port)/constant",
                "--rounds",
                "\(setting.pairs(9))",
            ], setting)
        short.stop()
        trends.stop()
        for store in [demo, long] { try RunningServer.remove(store, setting) }
        return Measurement(
            lines: [
                line(
                    "first paint of Today on the demo store : a page of 200 letters", times.paint, times.blank,
                    target: .atMost(300)),
                line("Today complete, all its cards : a page of 200 letters", times.today, times.blank),
                line("Trends, steps after the click on the card, 5 million samples", times.open, target: .atMost(200)),
                line("Trends, ten years of them after the click on “All”", times.trends, target: .atMost(200)),
                line("Trends, the same again after another period", times.trendsAgain),
                Line(
                    what: "largest answer besides Chart.js", ours: "\(times.largest / 1_000) kB",
                    figure: Double(times.largest) / 1e3, unit: "kB", target: .atMost(100)),
            ], notes: ["The largest answer is \(times.largestURL)."])
    }

    private static func line(_ what: String, _ times: [Double], _ other: [Double] = [], target: Line.Target = .none)
        -> Line
    {
        let sorted = times.sorted()
        return Line(
            what: what, ours: Figure.time(times.median / 1e3),
            other: other.isEmpty ? "" : Figure.time(other.median / 1e3),
            figure: times.median, unit: "ms", target: target,
            spread:
                "\(times.count) times, \(Figure.time((sorted.first ?? .nan) / 1e3)) to \(Figure.time((sorted.last ?? .nan) / 1e3))"
        )
    }

    /// A store with the archive that `make run` imports.
    private static func demoStore(_ setting: Setting) throws -> URL {
        let store = try RunningServer.freshStore("page-demo.store", setting)
        let archive = setting.data.appendingPathComponent("demo.zip")
        _ = try MeasuredProcess.run(
            setting.program("hk"), ["generate", archive.path, "--records", "200000", "--ios", "26", "--no-defects"],
            in: setting)
        _ = try MeasuredProcess.run(
            setting.program("hk"), ["import", archive.path, "--store", store.path], in: setting)
        try FileManager.default.removeItem(at: archive)
        return store
    }

    private static func measure(_ arguments: [String], _ setting: Setting) throws -> Times {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "../.build/python/bin/python")
        process.arguments = [setting.script("page.py").path] + arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch {
            throw BenchError("Python can't be run. Install it with “make packages-bench”")
        }
        let data = pipe.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        guard process.terminationStatus == 0 else { throw BenchError("scripts/page.py failed") }
        return try JSONDecoder().decode(Times.self, from: data)
    }
}
