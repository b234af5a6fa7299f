import Foundation

/// What wrk measured: many connections that each send a request when the one before was answered.
struct Load {
    /// The answered requests a second.
    var rate: Double
    /// The time within which 99 % of the requests were answered, in seconds.
    var slowest: Double

    /// What is asked for.
    enum Requests {
        /// The same path again and again.
        case same(path: String)
        /// Weeks that nobody asked for before; the round makes them others than in the rounds before.
        case new(round: Int)
        /// Any week of any of the people `p1`, `p2` …
        case anyone(people: Int)

        fileprivate var arguments: [String] {
            switch self {
            case .same(let path): ["same", path, "0"]
            case .new(let round): ["new", "\(round)", "0"]
            case .anyone(let people): ["people", "/", "\(people)"]
            }
        }
    }

    /// Sends requests for some seconds.
    ///
    /// - Throws: ``BenchError`` if a request fails, so that an error is never measured as a fast answer.
    static func run(
        _ requests: Requests, port: Int, token: String = "none", seconds: Int, connections: Int = 32, _ setting: Setting
    ) throws -> Load {
        let process = Process()
        process.executableURL = URL(fileURLWithPath: "/usr/bin/env")
        process.arguments =
            [
                "wrk", "--threads", "1", "--connections", "\(connections)", "--duration", "\(seconds)s", "--script",
                setting.script("load.lua").path, "http://localhost:\(port)/", "--", token,
            ] + requests.arguments
        let pipe = Pipe()
        process.standardOutput = pipe
        do { try process.run() } catch { throw BenchError("wrk can't be run. Install it with “make packages-bench”") }
        let text = String(decoding: pipe.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        let line = text.split(separator: "\n").first { $0.hasPrefix("figures ") }
        let figures = (line ?? "").split(separator: " ").dropFirst().compactMap { Double($0) }
        guard figures.count == 3 else { throw BenchError("wrk failed: \(text)") }
        guard figures[2] == 0 else { throw BenchError("\(Int(figures[2])) of wrk's requests failed: \(text)") }
        return Load(rate: figures[0], slowest: figures[1])
    }
}

/// Two servers under the same load in turn.
struct LoadComparison {
    private var pairs: [(ours: Load, other: Load)] = []

    /// Runs both once to warm up, then in turn.
    static func run(pairs: Int, ours: (Int) throws -> Load, other: () throws -> Load) throws -> LoadComparison {
        var comparison = LoadComparison()
        for round in 0...pairs {
            let pair = (ours: try ours(round), other: try other())
            if round > 0 { comparison.pairs.append(pair) }
        }
        return comparison
    }

    /// Lines for the requests a second and for the time of the slowest hundredth.
    func lines(_ what: String, atLeast rate: Double?, atMost slowest: Double?) -> [Line] {
        [
            line(
                "\(what) a second", pairs.map { ($0.ours.rate, $0.other.rate) }, Figure.rate,
                rate.map { .atLeast($0) } ?? .none),
            line(
                "\(what), 99 % answered within", pairs.map { ($0.ours.slowest, $0.other.slowest) }, Figure.time,
                slowest.map { .atMost($0) } ?? .none),
        ]
    }

    private func line(
        _ what: String, _ values: [(ours: Double, other: Double)], _ text: (Double) -> String, _ target: Line.Target
    ) -> Line {
        let ratios = values.map { $0.ours / $0.other }.sorted()
        return Line(
            what: what, ours: text(values.map(\.ours).median), other: text(values.map(\.other).median),
            figure: ratios.median,
            target: target,
            spread:
                "\(ratios.count) pairs, \(Figure.plain(ratios.first ?? .nan)) to \(Figure.plain(ratios.last ?? .nan))"
        )
    }
}
