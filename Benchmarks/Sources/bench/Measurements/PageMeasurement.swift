import Foundation

/// The page in headless Chromium on loopback: the first paint of Today on the demo store, and ten years of steps in
/// Trends after a click, from the click until the chart is drawn. A page of a few words is the comparison for the first
/// paint. Of a store with records of all kinds, the vitals of every screen.
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
        /// Of each round of all screens: the slowest paint, the slowest interaction, and the shifts of the layout.
        var contentful: [Double]
        var interaction: [Double]
        var shift: [Double]
        var largest: Int
        var largestURL: String
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let demo = try store("page-demo.store", records: 200_000, setting)
        let large = try store("page-large.store", records: largeRecords(setting), setting)
        let long = try RunningServer.freshStore("page-years.store", setting)
        let today = Int(Date().timeIntervalSinceReferenceDate / StepHistory.day)
        try ServedStores.write(StepHistory(count: samples, firstDay: today - 3_649), into: long)
        let stores = [demo, long, large]
        let servers = try stores.map { try RunningServer(store: $0, in: setting) }
        defer { for server in servers { server.stop() } }
        let constant = try RunningProgram(setting.program("constant-server"), ["200"])
        defer { constant.stop() }
        let port = try constant.output { $0.hasSuffix("\n") }.trimmingCharacters(in: .whitespacesAndNewlines)
        let times = try measure(
            [
                "--today", servers[0].signIn, "--trends", servers[1].signIn, "--large", servers[2].signIn, "--blank",
                "http://localhost:\(port)/constant", "--rounds", "\(setting.pairs(9))",
            ], setting)
        for server in servers { server.stop() }
        for store in stores { try RunningServer.remove(store, setting) }
        let records = largeRecords(setting) == 2_000_000 ? "2 million records" : "200 thousand records"
        return Measurement(
            lines: [
                line(
                    "first paint of Today on the demo store : a page of 200 letters", times.paint, times.blank,
                    target: .atMost(300)),
                line("Today complete, all its cards : a page of 200 letters", times.today, times.blank),
                line("Trends, steps after the click on the card, 5 million samples", times.open, target: .atMost(200)),
                line("Trends, ten years of them after the click on “All”", times.trends, target: .atMost(200)),
                line("Trends, the same again after another period", times.trendsAgain),
                line(
                    "largest contentful paint of the slowest screen, \(records)", times.contentful,
                    target: .atMost(500)),
                line("slowest interaction to the next paint, \(records)", times.interaction, target: .atMost(100)),
                Line(
                    what: "layout shift of all screens together", ours: Figure.plain(times.shift.max() ?? .nan),
                    figure: times.shift.max(), unit: "", target: .atMost(0)),
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

    /// The records of the store whose vitals are measured.
    private static func largeRecords(_ setting: Setting) -> Int { setting.thoroughness == 1 ? 2_000_000 : 200_000 }

    /// A store with an archive such as the one that `make run` imports.
    private static func store(_ name: String, records: Int, _ setting: Setting) throws -> URL {
        let store = try RunningServer.freshStore(name, setting)
        let archive = setting.data.appendingPathComponent("page.zip")
        _ = try MeasuredProcess.run(
            setting.program("hk"),
            ["generate", archive.path, "--records", "\(records)", "--ios", "26", "--no-defects"], in: setting)
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
