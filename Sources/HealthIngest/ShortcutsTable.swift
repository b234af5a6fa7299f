import Foundation
import HealthDevices
import HealthFiles
import HealthJSON
import HealthModel

/// A CSV file with samples as people write it with a shortcut: a type, a value, a unit and a date in each row. Its rows
/// are what a shortcut posts.
struct ShortcutsTable {
    /// The members of a sample, by the names of columns in lowercase.
    private static let members = [
        "type": "type", "sample type": "type", "typ": "type", "value": "value", "quantity": "value", "wert": "value",
        "unit": "unit", "units": "unit", "einheit": "unit", "date": "start", "start": "start", "start date": "start",
        "startdate": "start", "start time": "start", "datum": "start", "beginn": "start", "end": "end",
        "end date": "end", "enddate": "end", "end time": "end", "ende": "end", "source": "source", "quelle": "source",
    ]

    /// The places of the columns, by the members of a sample.
    private let places: [(member: String, place: Int)]
    /// Whether the month comes first in dates such as `5/13/2024`; `nil` if no date shows it.
    private var isMonthFirst: Bool?

    /// `nil` for a table without these columns, or whose first row has no type.
    init?(_ rows: [CSVReader.Row]) {
        guard let header = rows.first?.fields, rows.count > 1 else { return nil }
        places = header.enumerated().compactMap { place, name in
            Self.members[name.trimmingCharacters(in: .whitespaces).lowercased()].map { ($0, place) }
        }
        guard Set(places.map(\.member)).isSuperset(of: ["type", "value", "start"]),
            let type = places.first(where: { $0.member == "type" })?.place, rows[1].fields.indices.contains(type),
            Self.type(rows[1].fields[type]) != nil
        else { return nil }
    }

    /// The name of a type for the reader of posted samples, which doesn’t know what people call it, also in German.
    private static func type(_ name: String) -> String? {
        ShortcutsReader.type(name) == nil ? ColumnWords.type(called: name)?.identifier : name
    }

    /// The table with the order of day and month, which only all of a file’s dates show.
    func ordered(_ source: @escaping () throws -> [UInt8]) throws -> ShortcutsTable {
        var reader = try CSVReader(source)
        var orders: Set<Bool> = []
        while let row = try? reader.next() {
            for (member, place) in places where member != "value" && row.fields.indices.contains(place) {
                guard let date = Self.numbers(row.fields[place]) else { continue }
                if date.first > 12 { orders.insert(false) }
                if date.second > 12 { orders.insert(true) }
            }
        }
        var table = self
        table.isMonthFirst = orders.count == 1 ? orders.first : nil
        return table
    }

    /// The parts of a date such as `5/13/2024, 8:00 AM`.
    private static func numbers(_ text: String) -> (first: Int, second: Int, rest: Substring)? {
        guard let match = text.wholeMatch(of: /(\d{1,2})\/(\d{1,2})(\/\d{4}\b.*)/), let first = Int(match.1),
            let second = Int(match.2)
        else { return nil }
        return (first, second, match.3)
    }

    /// A date as people write it in ISO 8601, which is the only form that is read; `-` if it can be two dates.
    private func date(_ text: String) -> String {
        var text = text
        if let date = Self.numbers(text) {
            guard let isMonthFirst else { return "-" }
            text = isMonthFirst ? "\(date.second)/\(date.first)\(date.rest)" : text
        }
        guard DateText(text) == nil, let date = LocalizedDate(text), date.offset == nil, let wall = date.wallSecond
        else { return text }
        let second = (wall % 86_400 + 86_400) % 86_400
        let parts = [date.month, date.day, second / 3_600, second / 60 % 60, second % 60]
            .map { $0 < 10 ? "0\($0)" : "\($0)" }
        return "\(date.year)-\(parts[0])-\(parts[1])T\(parts[2...].joined(separator: ":"))"
    }

    /// A number without separators of thousands and with a decimal point, and the unit that may follow.
    private static func value(_ text: String, _ decimal: Character) -> String {
        let number = text.prefix { "+-.,'’0123456789".contains($0) }
        guard decimal == "," || number.contains(","),
            let value = ColumnNumber.parse(String(number), decimal: decimal)
        else { return text }
        return "\(value)\(text.dropFirst(number.count))"
    }

    /// The rows of a document.
    private static let rowCount = 20_000

    /// Reads the rows after the first, as arrays of samples.
    ///
    /// - Parameter count: The largest number of samples of an array.
    /// - Returns: Why the rest can’t be read, if it can’t.
    /// - Throws: ``FileReadingError``; errors of the source and of `body`.
    func forEachDocument(
        of count: Int = rowCount, _ source: @escaping () throws -> [UInt8], _ body: ([UInt8]) throws -> Void
    ) throws -> FileDamage? {
        var reader = try CSVReader(source)
        // Programs separate by semicolons where the comma is needed for numbers.
        let decimal: Character = reader.separator == UInt8(ascii: ";") ? "," : "."
        var rows: [[String]] = []
        var damage: FileDamage?
        do {
            _ = try reader.next()
            while let row = try reader.next() {
                rows.append(row.fields)
                guard rows.count == count else { continue }
                try body(document(rows, decimal))
                rows = []
            }
        } catch let failure as CSVReader.Failure {
            damage = FileDamage(offset: 0, line: failure.line, reason: failure.reason)
        }
        if !rows.isEmpty { try body(document(rows, decimal)) }
        return damage
    }

    private func document(_ rows: [[String]], _ decimal: Character) -> [UInt8] {
        var text = JSONText()
        var types: [String: String] = [:]
        func written(_ cell: String, _ member: String) -> String {
            switch member {
            case "type":
                let name = types[cell] ?? Self.type(cell) ?? cell
                types[cell] = name
                return name
            case "value": return Self.value(cell, decimal)
            case "start", "end": return date(cell)
            default: return cell
            }
        }
        text.array { text in
            for row in rows {
                let cells = places.map { member, place in
                    let cell = place < row.count ? row[place] : ""
                    return (member: member, text: cell.trimmingCharacters(in: .whitespacesAndNewlines))
                }.filter { !$0.text.isEmpty }
                text.object { text in
                    for cell in cells { text.member(cell.member, text: written(cell.text, cell.member)) }
                    // Posted without a date, a sample is of now. In a file, that isn’t known, and a row is refused.
                    if !cells.contains(where: { $0.member == "start" }) { text.member("start", text: "-") }
                }
            }
        }
        return Array(text.bytes)
    }
}
