public import Foundation
import HealthModel

/// The rows of an answer as text for the tools that studies use. Every row has the type, figure, unit and interval, so
/// that the tables of several requests can be concatenated.
public struct CohortTable: Sendable {
    private let request: CohortRequest
    private let answer: CohortAnswer

    /// Creates the table of an answer to a request.
    public init(_ request: CohortRequest, _ answer: CohortAnswer) {
        self.request = request
        self.answer = answer
    }

    /// The names of the columns: what was asked for, the first day and the day after the last, the figures of the
    /// people, and `p50` for the quantile 0.5.
    public var columns: [String] {
        let fixed = [
            "type", "figure", "unit", "interval", "start", "end", "people", "sum", "mean", "standard_deviation",
        ]
        return fixed + request.quantiles.map(Self.name(ofQuantile:))
    }

    /// The name of a quantile: its percentage, such as `p25` or `p2.5`.
    public static func name(ofQuantile quantile: Double) -> String {
        // 0.07 * 100 isn't 7; four digits are more than people ask for.
        let percent = (quantile * 1_000_000).rounded() / 10_000
        return "p" + (percent == percent.rounded() ? String(Int(percent)) : String(percent))
    }

    /// Comma-separated values with a heading, each line ending with a line feed.
    public var csv: String {
        ([columns.joined(separator: ",")] + lines).map { $0 + "\n" }.joined()
    }

    /// One JSON object per line. Quantiles are members of `quantiles`, by their names.
    ///
    /// - Throws: `EncodingError` for a figure that isn't finite.
    public func jsonLines() throws -> String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        return try objects.map { String(decoding: try encoder.encode($0), as: UTF8.self) + "\n" }.joined()
    }

    /// The script for `psql` that creates the table unless it exists, and adds the rows to it.
    ///
    /// - Throws: ``CohortError`` for a name that isn't an identifier, such as `steps` or `study.steps`.
    public func postgreSQL(table name: String) throws -> String {
        let parts = name.split(separator: ".", omittingEmptySubsequences: false)
        guard (1...2).contains(parts.count), parts.allSatisfy(Self.isIdentifier) else {
            throw CohortError(
                "“\(name)” is not a name of a table. Use letters, digits and _, such as weekly_steps or study.weekly_steps."
            )
        }
        let quoted = parts.map { "\"\($0)\"" }.joined(separator: ".")
        let types = ["text", "text", "text", "text", "date", "date", "bigint"]
        let definitions = columns.enumerated().map { index, column in
            "\"\(column)\" \(index < types.count ? types[index] : "double precision") NOT NULL"
        }
        let names = columns.map { "\"\($0)\"" }.joined(separator: ", ")
        return """
            CREATE TABLE IF NOT EXISTS \(quoted) (\(definitions.joined(separator: ", ")));
            COPY \(quoted) (\(names)) FROM STDIN WITH (FORMAT csv);

            """ + lines.map { $0 + "\n" }.joined() + "\\.\n"
    }

    private static func isIdentifier(_ text: Substring) -> Bool {
        guard let first = text.utf8.first, text.utf8.count <= 63, first < UInt8(ascii: "0") || first > UInt8(ascii: "9")
        else {
            return false
        }
        return text.allSatisfy { $0.isASCII && ($0.isLetter || $0.isNumber || $0 == "_") }
    }

    private var lines: [String] {
        answer.rows.map { row in
            let figures: [Double?] = [row.sum, row.mean, row.standardDeviation] + row.quantiles
            let words = [
                request.type.shortName, request.figure.rawValue, request.unit, request.interval.rawValue,
                request.day(row.start), request.day(row.end), String(row.people),
            ]
            return (words + figures.map { $0.map { String(describing: $0) } ?? "" }).joined(separator: ",")
        }
    }

    /// Quantiles by their names.
    package func named(_ quantiles: [Double?]) -> [String: Double] {
        let named = zip(request.quantiles.map(Self.name(ofQuantile:)), quantiles)
        return Dictionary(named.compactMap { name, value in value.map { (name, $0) } }) { first, _ in first }
    }

    private struct Object: Encodable {
        var type: String
        var figure: String
        var unit: String
        var interval: String
        var start: String
        var end: String
        var people: Int
        var sum: Double
        var mean: Double
        var standardDeviation: Double
        var quantiles: [String: Double]
    }

    private var objects: [Object] {
        answer.rows.map { row in
            Object(
                type: request.type.shortName, figure: request.figure.rawValue, unit: request.unit,
                interval: request.interval.rawValue, start: request.day(row.start), end: request.day(row.end),
                people: row.people, sum: row.sum, mean: row.mean, standardDeviation: row.standardDeviation,
                quantiles: named(row.quantiles))
        }
    }
}

extension CohortRequest {
    /// The day that begins at an instant, such as `2024-01-31`.
    public func day(_ date: Date) -> String {
        date.formatted(Date.ISO8601FormatStyle(timeZone: timeZone).year().month().day())
    }
}
