import Foundation
import HealthFiles
import HealthJSON

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

    /// `nil` for a table without these columns, or whose first row has no type.
    init?(_ rows: [CSVReader.Row]) {
        guard let header = rows.first?.fields, rows.count > 1 else { return nil }
        places = header.enumerated().compactMap { place, name in
            Self.members[name.trimmingCharacters(in: .whitespaces).lowercased()].map { ($0, place) }
        }
        guard Set(places.map(\.member)).isSuperset(of: ["type", "value", "start"]),
            let type = places.first(where: { $0.member == "type" })?.place, rows[1].fields.indices.contains(type),
            ShortcutsReader.type(rows[1].fields[type]) != nil
        else { return nil }
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
        var rows: [[String]] = []
        var damage: FileDamage?
        do {
            _ = try reader.next()
            while let row = try reader.next() {
                rows.append(row.fields)
                guard rows.count == count else { continue }
                try body(document(rows))
                rows = []
            }
        } catch let failure as CSVReader.Failure {
            damage = FileDamage(offset: 0, line: failure.line, reason: failure.reason)
        }
        if !rows.isEmpty { try body(document(rows)) }
        return damage
    }

    private func document(_ rows: [[String]]) -> [UInt8] {
        var text = JSONText()
        text.array { text in
            for row in rows {
                let cells = places.map { member, place in
                    let cell = place < row.count ? row[place] : ""
                    return (member: member, text: cell.trimmingCharacters(in: .whitespacesAndNewlines))
                }.filter { !$0.text.isEmpty }
                text.object { text in
                    for cell in cells { text.member(cell.member, text: cell.text) }
                    // Posted without a date, a sample is of now. In a file, that isn’t known, and a row is refused.
                    if !cells.contains(where: { $0.member == "start" }) { text.member("start", text: "-") }
                }
            }
        }
        return Array(text.bytes)
    }
}
