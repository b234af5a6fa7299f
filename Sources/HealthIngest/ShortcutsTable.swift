import Foundation
import HealthDevices
import HealthFiles
import HealthJSON
import HealthModel

/// A CSV file with samples as people write it with a shortcut: a type, a value, a unit and a date in each row. Its rows
/// are what a shortcut posts.
struct ShortcutsTable {
    /// The places of the columns, by the members of a sample.
    private let places: [(member: String, place: Int)]

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

    /// The dates of a file with the table, of which all show the order of day and month.
    func slashedDates(_ source: @escaping () throws -> () throws -> [UInt8]) -> SlashedDates {
        SlashedDates(places.filter { $0.member == "start" || $0.member == "end" }.map(\.place), of: source)
    }

    /// A date as people write it in ISO 8601, which is the only form that is read; the text itself if it isn’t a date,
    /// or can be two days.
    private static func date(_ text: String, _ slashed: SlashedDates) -> String {
        guard DateText(text) == nil, let date = slashed.dayFirst(text).flatMap({ LocalizedDate($0) }),
            date.offset == nil, let wall = date.wallSecond
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
        of count: Int = rowCount, _ slashed: SlashedDates, _ source: @escaping () throws -> [UInt8],
        _ body: ([UInt8]) throws -> Void
    ) throws -> FileDamage? {
        var reader = try CSVReader(source)
        // Programs separate by semicolons where the comma is needed for numbers.
        let decimal: Character = reader.separator == UInt8(ascii: ";") ? "," : "."
        return try reader.forEachGroup(of: count) { try body(document($0, decimal, slashed)) }
    }

    private func document(_ rows: [[String]], _ decimal: Character, _ slashed: SlashedDates) -> [UInt8] {
        var text = JSONText()
        var types: [String: String] = [:]
        func written(_ cell: String, _ member: String) -> String {
            switch member {
            case "type":
                let name = types[cell] ?? Self.type(cell) ?? cell
                types[cell] = name
                return name
            case "value": return Self.value(cell, decimal)
            case "start", "end": return Self.date(cell, slashed)
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
