import Foundation

/// The result of a measurement.
struct Measurement {
    var lines: [Line] = []
    var notes: [String] = []
}

/// A line of the table.
struct Line: Sendable {
    enum Target: Sendable {
        /// A maximum for the figure.
        case atMost(Double)
        /// A minimum for the figure.
        case atLeast(Double)
        /// No target.
        case none
    }

    /// The description of the comparison.
    var what: String
    var ours: String
    var other = ""
    /// The ratio, or the figure itself, that the target applies to.
    var figure: Double?
    /// The unit of the figure, printed after it: `×`, `× faster`, `MB`, `B`, `ms`, `%`.
    var unit = "×"
    var target = Target.none
    /// The spread of the ratios and the ratio of processor time.
    var spread: String?

    /// A Boolean value that indicates whether the target is met, or `nil` without a target.
    var isHeld: Bool? { figure.flatMap { target.isMet(by: $0) } }
}

extension Line.Target {
    func isMet(by figure: Double) -> Bool? {
        switch self {
        case .atMost(let limit): figure <= limit
        case .atLeast(let limit): figure >= limit
        case .none: nil
        }
    }
}

extension Line {
    /// Creates a line whose ratio is our time divided by the other time.
    init(_ what: String, _ comparison: Comparison, target: Target = .none) {
        self.init(
            what: what, ours: Figure.time(comparison.oursWall), other: Figure.time(comparison.otherWall),
            figure: comparison.ratio, target: target, spread: Self.spread(of: comparison) { $0 })
    }

    /// Creates a line whose ratio says how many times faster ours is.
    init(_ what: String, faster comparison: Comparison, target: Target = .none) {
        self.init(
            what: what, ours: Figure.time(comparison.oursWall), other: Figure.time(comparison.otherWall),
            figure: 1 / comparison.ratio, unit: "× faster", target: target,
            spread: Self.spread(of: comparison) { 1 / $0 })
    }

    /// Creates a line whose ratio is our rate divided by the other rate, for the same work. The processor time of a
    /// server is not that of this process, and isn't told.
    init(_ what: String, rate comparison: Comparison, of count: Int, target: Target = .none) {
        self.init(
            what: what, ours: Figure.rate(Double(count) / comparison.oursWall),
            other: Figure.rate(Double(count) / comparison.otherWall), figure: 1 / comparison.ratio, target: target,
            spread: Self.range(of: comparison) { 1 / $0 })
    }

    private static func spread(of comparison: Comparison, _ transform: (Double) -> Double) -> String {
        range(of: comparison, transform)
            + "; processor \(Figure.plain(transform(comparison.processorRatio)))"
    }

    private static func range(of comparison: Comparison, _ transform: (Double) -> Double) -> String {
        let ratios = comparison.ratios.map(transform).sorted()
        guard let minimum = ratios.first, let maximum = ratios.last else { return "" }
        let pairs = ratios.count == 1 ? "1 pair" : "\(ratios.count) pairs"
        return "\(pairs), \(Figure.plain(minimum)) to \(Figure.plain(maximum))"
    }
}

/// Formats numbers for the table.
enum Figure {
    /// Formats a time in seconds with a suitable unit.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case 1...: String(format: "%.2f s", seconds)
        case 0.01...: String(format: "%.1f ms", seconds * 1e3)
        case 0.001...: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.0f µs", seconds * 1e6)
        }
    }

    static func megabytes(_ bytes: Int) -> String {
        String(format: "%.0f MB", Double(bytes) / 1e6)
    }

    /// Formats a number a second.
    static func rate(_ number: Double) -> String {
        number >= 1e6 ? String(format: "%.2f M/s", number / 1e6) : String(format: "%.0f/s", number)
    }

    /// Formats a ratio with one decimal place from 10 upward, and two below.
    static func plain(_ number: Double) -> String {
        String(format: number >= 10 ? "%.1f" : "%.2f", number)
    }

    static func with(_ unit: String, _ number: Double) -> String {
        switch unit {
        case "MB": String(format: "%.0f MB", number)
        case "": plain(number)
        default: "\(plain(number)) \(unit)"
        }
    }
}
