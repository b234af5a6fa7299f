import Foundation
import HealthFiles
import HealthJSON

/// A CSV file of Health Auto Export: a row for each minute, hour or day, and a column for each metric with its unit,
/// such as `Step Count (steps)` or `Heart Rate [Min] (bpm)`.
///
/// It has what the documents have in another form, so it becomes one, and is saved in the same way.
struct AutoExportTable {
    /// A column, whose cells are a member of a metric's entries.
    private struct Column: Hashable {
        let place: Int
        let metric: String
        let unit: String
        let member: String

        /// `nil` for a name in another form.
        init?(_ place: Int, _ name: String) {
            guard let match = name.wholeMatch(of: /([^\[(]+?) *(?:\[([^\]]+)\] *)?(?:\((.+)\))?/),
                AutoExportNames.type(ofMetric: String(match.1)) != nil
            else { return nil }
            (self.place, metric, unit) = (place, AutoExportNames.normalized(String(match.1)), String(match.3 ?? ""))
            let part = match.2.map(String.init) ?? "qty"
            member = ["Systolic", "Diastolic"].contains(part) ? part.lowercased() : part
        }
    }

    /// Whether the names of a table's columns are those of such a file.
    static func isHeader(_ names: [String]) -> Bool {
        guard let first = names.first else { return false }
        return (first == "Date/Time" || first == "Date" && names.contains { $0.contains(" [Avg] (") })
            && names.enumerated().contains { Column($0, $1)?.unit.isEmpty == false }
    }

    /// The metrics that have entries, with their columns.
    private var metrics: [(name: String, columns: [Column])] = []
    /// The period of each row.
    let aggregation: IngestAggregation
    /// The content that was left out.
    private(set) var leftOut = FileContent()

    /// The rows of a document.
    private static let rowCount = 20_000

    /// Reads the table to find its columns that have entries, and the period of its rows.
    ///
    /// - Throws: ``FileReadingError``; errors of the source.
    init(_ source: @escaping () throws -> [UInt8], _ timeZone: TimeZone, _ slashed: SlashedDates) throws {
        let dates = AutoExportDateReader(timeZone: timeZone, slashed: slashed)
        var reader = try CSVReader(source)
        var (header, filled, times) = ([String](), Set<Int>(), Times())
        do {
            header = try reader.next()?.fields ?? []
            while let row = try reader.next() {
                for (place, cell) in row.fields.enumerated() where !cell.isEmpty { filled.insert(place) }
                if let date = row.fields.first.flatMap({ dates.date($0) }) { times.add(date) }
            }
        } catch let failure as CSVReader.Failure {
            leftOut.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
        aggregation = times.aggregation
        for (place, name) in header.enumerated().dropFirst() where filled.contains(place) {
            // Those of nights have no times.
            guard let column = Column(place, name), column.metric != "sleep_analysis" else {
                leftOut.leaveOut("column “\(name.prefix(100))”")
                continue
            }
            if let known = metrics.firstIndex(where: { $0.name == column.metric }) {
                metrics[known].columns.append(column)
            } else {
                metrics.append((column.metric, [column]))
            }
        }
    }

    /// The times of the rows, which show how long a row's period is.
    private struct Times {
        private var last: AutoExportDate?
        private var (isDays, isHours, isMinutes) = (true, true, true)
        /// Whether each row is a week or more from the one before it.
        private var isWide = true
        private var count = 0

        mutating func add(_ date: AutoExportDate) {
            if let last { isWide = isWide && abs(date.day - last.day) >= 7 }
            isDays = isDays && date.secondOfDay == 0
            isHours = isHours && date.secondOfDay % 3_600 == 0
            isMinutes = isMinutes && date.secondOfDay % 60 == 0
            (last, count) = (date, count + 1)
        }

        var aggregation: IngestAggregation {
            // Rows of weeks and months don't say how long they are.
            if isDays { return isWide && count > 1 ? .unspecified : .day }
            if isHours { return .hour }
            return isMinutes ? .minute : .unspecified
        }
    }

    /// Reads the table again, as documents with the same entries; their members are in the order of the columns.
    ///
    /// - Parameter count: The largest number of rows of a document.
    /// - Throws: ``FileReadingError``; errors of the source and of `body`.
    func forEachDocument(
        of count: Int = rowCount, _ source: @escaping () throws -> [UInt8], _ body: ([UInt8]) throws -> Void
    ) throws {
        var reader = try CSVReader(source)
        // Why the rest can’t be read is among what was left out.
        _ = try reader.forEachGroup(of: count) { try body(Self.document(metrics, $0)) }
    }

    private static func document(_ metrics: [(name: String, columns: [Column])], _ rows: [[String]]) -> [UInt8] {
        var text = JSONText()
        text.object { text in
            text.object("data") { text in
                text.array("metrics") { text in
                    for (name, columns) in metrics {
                        text.object { text in
                            text.member("name", text: name)
                            text.member("units", text: columns[0].unit)
                            text.array("data") { text in
                                for row in rows { add(row, columns, to: &text) }
                            }
                        }
                    }
                }
            }
        }
        return Array(text.bytes)
    }

    private static func add(_ row: [String], _ columns: [Column], to text: inout JSONText) {
        let cells = columns.filter { row.indices.contains($0.place) && !row[$0.place].isEmpty }
        guard !cells.isEmpty else { return }
        text.object { text in
            text.member("date", text: row[0])
            for cell in cells { text.member(cell.member, text: row[cell.place]) }
        }
    }
}
