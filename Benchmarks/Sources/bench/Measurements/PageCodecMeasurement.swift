import Foundation
import HealthModel
import HealthPages

/// The speed of encoding and decoding pages on one core.
enum PageCodecMeasurement {
    private static let capacity = 1_000

    static func run(_ setting: Setting, _ history: StepHistory) throws -> Measurement {
        var columns = history.columns
        columns.sequences = (1...Int64(columns.starts.count)).map { $0 }
        let pieces = stride(from: 0, to: columns.starts.count, by: capacity).map {
            $0..<min($0 + capacity, columns.starts.count)
        }
        var pages: [EncodedPage] = []
        let encoding = try time(setting.pairs(11)) {
            pages = try pieces.map { try PageWriter.write(columns, rows: $0) }
        }
        let (starts, ends, values) = (memory(), memory(), memory())
        defer { for column in [starts, ends, values] { column.deallocate() } }
        let figures = try time(setting.pairs(11)) {
            for page in pages {
                try page.body.withUnsafeBytes {
                    try PageReader(header: page.header, body: $0).decode(starts: starts, ends: ends, values: values)
                }
            }
        }
        let everything = try time(setting.pairs(11)) {
            for page in pages {
                try page.body.withUnsafeBytes {
                    Sink.consume(Int64(try PageReader(header: page.header, body: $0).read(.all).count), 0)
                }
            }
        }
        let bytes = pages.reduce(0) { $0 + $1.body.count + $1.headerBytes.count }
        let count = Double(columns.starts.count)
        func line(_ what: String, _ seconds: Double) -> Line {
            Line(what: what, ours: String(format: "%.1f M/s", count / seconds / 1e6))
        }
        return Measurement(lines: [
            line("pages: encode all columns, one core", encoding),
            line("pages: decode start, end and value, one core", figures),
            line("pages: decode all columns, one core", everything),
            Line(what: "pages: bytes per step sample", ours: String(format: "%.2f B", Double(bytes) / count)),
        ])
    }

    private static func memory() -> UnsafeMutablePointer<Double> {
        .allocate(capacity: capacity)
    }

    /// Returns the median time of the work in seconds.
    private static func time(_ count: Int, _ work: () throws -> Void) throws -> Double {
        try work()
        return try (0..<count).map { _ in
            let before = Cost.now
            try work()
            return (Cost.now - before).wall
        }.median
    }
}
