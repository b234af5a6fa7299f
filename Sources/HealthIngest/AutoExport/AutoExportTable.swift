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

    /// The document with the same entries; its members are in the order of the columns.
    private(set) var document: [UInt8] = []
    /// The period of each row.
    private(set) var aggregation: IngestAggregation = .unspecified
    /// The content that was left out.
    private(set) var leftOut = FileContent()

    /// - Throws: ``FileReadingError``; errors of the source.
    init(_ source: @escaping () throws -> [UInt8], _ timeZone: TimeZone) throws {
        var reader = try CSVReader(source)
        var (rows, header) = ([[String]](), [String]())
        do {
            header = try reader.next()?.fields ?? []
            while let row = try reader.next() { rows.append(row.fields) }
        } catch let failure as CSVReader.Failure {
            leftOut.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
        let dates = AutoExportDateReader(timeZone: timeZone)
        aggregation = Self.aggregation(rows.compactMap { $0.first.flatMap { dates.date($0) } })
        var metrics: [(name: String, columns: [Column])] = []
        for (place, name) in header.enumerated().dropFirst() {
            let isFilled = rows.contains { $0.indices.contains(place) && !$0[place].isEmpty }
            guard isFilled else { continue }
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
        document = Self.document(metrics, rows)
    }

    private static func aggregation(_ dates: [AutoExportDate]) -> IngestAggregation {
        let gaps = zip(dates, dates.dropFirst()).map { abs($1.day - $0.day) }
        if dates.allSatisfy({ $0.secondOfDay == 0 }) {
            // Rows of weeks and months don't say how long they are.
            return gaps.allSatisfy { $0 >= 7 } && !gaps.isEmpty ? .unspecified : .day
        }
        if dates.allSatisfy({ $0.secondOfDay % 3_600 == 0 }) { return .hour }
        return dates.allSatisfy { $0.secondOfDay % 60 == 0 } ? .minute : .unspecified
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
