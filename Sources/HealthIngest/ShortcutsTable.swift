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

    /// The rows after the first as an array of samples.
    ///
    /// - Throws: ``FileReadingError``; errors of the source.
    func document(_ source: @escaping () throws -> [UInt8]) throws -> [UInt8] {
        var text = JSONText()
        do {
            var reader = try CSVReader(source)
            _ = try reader.next()
            try text.array { text in
                while let row = try reader.next() {
                    let cells = places.map { member, place in
                        let cell = place < row.fields.count ? row.fields[place] : ""
                        return (member: member, text: cell.trimmingCharacters(in: .whitespacesAndNewlines))
                    }.filter { !$0.text.isEmpty }
                    text.object { text in
                        for cell in cells { text.member(cell.member, text: cell.text) }
                        // Posted without a date, a sample is of now. In a file, that isn’t known, and a row is refused.
                        if !cells.contains(where: { $0.member == "start" }) { text.member("start", text: "-") }
                    }
                }
            }
        } catch let failure as CSVReader.Failure {
            throw FileReadingError("a row can’t be read: line \(failure.line)")
        }
        return text.bytes
    }
}
