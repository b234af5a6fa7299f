import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// A table of samples in an archive of Google's, by the beginning of its file's name.
struct GoogleTable: Hashable, Sendable {
    /// How long a sample lasts.
    enum Span: Hashable, Sendable {
        case moment, minute
        /// Until the time in another column.
        case until(String)
        /// The local day that the time names.
        case day
    }

    let name: String
    let type: MeasuredType
    /// The column of the value, or how its name begins; `nil` for a value of 1 in every line.
    let value: String?
    /// The number by which a value is divided.
    var divisor = 1.0
    let span: Span
    let stage: ReadingStage
    /// The column of the time, which is local if it has no zone.
    var time = "timestamp"
    /// A value that represents one that could not be measured.
    var unmeasured: Double?

    /// Whether the columns identify the table.
    var isDistinct: Bool { name == "active zone minutes" || !["", "value", nil].contains(value) }

    /// The columns of a file.
    struct Columns {
        let time: Int
        let end: Int?
        let value: Int?
        let source: Int?
    }

    /// Finds the columns by their names; `nil` if one is missing.
    func columns(_ names: [String]) -> Columns? {
        guard let time = names.firstIndex(of: time) else { return nil }
        let source = names.firstIndex(of: "data source")
        var (column, end): (Int?, Int?)
        if let value {
            column = names.indices.first { $0 != time && $0 != source && names[$0].hasPrefix(value) }
            guard column != nil else { return nil }
        }
        if case .until(let name) = span {
            end = names.firstIndex(of: name)
            guard end != nil else { return nil }
        }
        return Columns(time: time, end: end, value: column, source: source)
    }
}

extension GoogleTakeoutReader {
    /// Reads a table of samples. Its columns are found by name.
    mutating func readTable(_ table: GoogleTable, _ bytes: FileBytes, into content: inout FileContent) throws {
        let instants = LocalClock(timeZone: timeZone)
        let clock = LocalClock(timeZone: timeZone)
        // The sources of the file, of which the lines mostly name the same.
        var series: [(name: [UInt8], series: SampleSeries)] = []
        var (last, minutes) = (0, CoverageCursor(table.type, at: table.stage))
        // Also of a file that is damaged further on.
        defer { minutes.finish(coverage) }
        var (unreadable, unmeasured, known) = (0, 0, 0)
        var isUnknown = false
        try bytes.table().forEachRow { names in
            let columns = table.columns(names)
            // A file without data has a line that says so.
            isUnknown = columns == nil && names.count > 1
            return columns
        } _: { fields, columns in
            guard var start = instants.instant(of: fields.bytes(columns.time)) else { return unreadable += 1 }
            var value = 1.0
            if let column = columns.value {
                guard let number = DecimalText.value(fields.bytes(column)) else {
                    return fields.bytes(column).isEmpty ? () : (unreadable += 1)
                }
                value = number
            }
            // What wasn't measured or didn't happen is zero.
            guard value > 0 else { return }
            if let sign = table.unmeasured, value == sign { return unmeasured += 1 }
            value /= table.divisor
            var end = start
            switch table.span {
            case .moment: break
            case .minute: end = start + 60
            case .until:
                guard let time = columns.end.flatMap({ instants.instant(of: fields.bytes($0)) }), time >= start else {
                    return unreadable += 1
                }
                end = time
            case .day:
                guard let day = Self.day(fields.bytes(columns.time), start, clock) else { return unreadable += 1 }
                (start, end) = (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
            }
            let name = columns.source.map { fields.bytes($0) } ?? UnsafeBufferPointer(start: nil, count: 0)
            if table.stage == .total {
                let source = GoogleOrigin.source(named: String(decoding: name, as: UTF8.self))
                return content.totals.append(source.quantity(table.type, value, start, end))
            }
            guard minutes.take(start, coverage) else { return known += 1 }
            if series.isEmpty || !series[last].name.elementsEqual(name) {
                if let found = series.firstIndex(where: { $0.name.elementsEqual(name) }) {
                    last = found
                } else {
                    last = series.count
                    let source = GoogleOrigin.source(named: String(decoding: name, as: UTF8.self))
                    series.append((Array(name), SampleSeries(table.type, source)))
                }
            }
            series[last].series.append(value, start, end)
        }
        content.series += series.map(\.series)
        if isUnknown { content.leaveOut("table with other columns than it should have") }
        if unreadable > 0 { content.leaveOut("line without a readable time or value", count: unreadable) }
        if unmeasured > 0 { content.leaveOut("value that represents a missing one", count: unmeasured) }
        if known > 0 { content.leaveOut(Self.lessPrecise, count: known) }
    }

    static let lessPrecise = "value of which something finer exists"

    /// The local day of a value of a day: midnight and a date without a time name the day itself, also with a zone.
    private static func day(_ text: UnsafeBufferPointer<UInt8>, _ instant: Double, _ clock: LocalClock) -> Int? {
        guard let date = DateText(text) else { return nil }
        let (day, second) = CivilDate.split(date.wallSecond)
        return second == 0 ? day : clock.dayNumber(at: instant)
    }
}
