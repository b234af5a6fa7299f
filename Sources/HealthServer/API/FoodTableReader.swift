import Foundation
import HealthEngine

/// Reads a person's foods from a CSV file: `name` and `energy` in kilocalories, and perhaps `serving`, `protein`,
/// `carbohydrates` and `fat` in grams, and `barcode`, in any order.
///
/// Columns are separated as in the first line, by commas, semicolons or tabs; where commas don't separate, they may be
/// decimal.
struct FoodTableReader {
    private static let columns = ["name", "serving", "energy", "protein", "carbohydrates", "fat", "barcode"]
    private static let maximumFoods = 20_000
    private static let maximumLength = 200

    /// - Throws: ``Problem`` `validationFailed`, with the line.
    static func read(_ text: String) throws -> [Food] {
        let text = text.hasPrefix("\u{FEFF}") ? String(text.dropFirst()) : text
        let first = text.prefix { !$0.isNewline }
        let separator = [Character(";"), "\t", ","].max { one, other in
            first.count { $0 == one } < first.count { $0 == other }
        }
        let lines = try rows(of: text, separator ?? ",")
        guard let head = lines.first else { throw Problem(.validationFailed, "The file is empty.") }
        var places: [String: Int] = [:]
        for (place, title) in head.cells.enumerated() {
            // energy_kcal and Energy (kcal) are energy.
            let name = String(title.lowercased().drop { $0.isWhitespace }.prefix { $0.isLetter })
            if columns.contains(name), places[name] == nil { places[name] = place }
        }
        for required in ["name", "energy"] where places[required] == nil {
            throw Problem(
                .validationFailed,
                "Line 1: There is no column “\(required)”. The columns are \(columns.joined(separator: ", ")).")
        }
        guard lines.count <= maximumFoods + 1 else {
            throw Problem(.validationFailed, "The file has more than \(maximumFoods) foods.")
        }
        return try lines.dropFirst().filter { $0.cells.contains { !$0.isEmpty } }.map { line in
            try food(line.cells, places, line: line.number, hasDecimalCommas: separator != ",")
        }
    }

    private static func food(
        _ cells: [String], _ places: [String: Int], line: Int, hasDecimalCommas: Bool
    ) throws -> Food {
        func text(_ column: String) throws -> String {
            guard let place = places[column], place < cells.count else { return "" }
            guard cells[place].count <= maximumLength else {
                throw Problem(.validationFailed, "Line \(line): \(column) has more than \(maximumLength) characters.")
            }
            return cells[place]
        }
        func number(_ column: String, upTo maximum: Double) throws -> Double {
            var text = try text(column)
            if text.isEmpty, column != "energy" { return 0 }
            if hasDecimalCommas { text = text.replacing(",", with: ".") }
            guard let number = Double(text), (0...maximum).contains(number) else {
                throw Problem(.validationFailed, "Line \(line): \(column) is not a number from 0 to \(Int(maximum)).")
            }
            return number
        }
        let name = try text("name")
        guard !name.isEmpty else { throw Problem(.validationFailed, "Line \(line): name is empty.") }
        let barcode = try text("barcode").filter { !$0.isWhitespace }
        guard barcode.isEmpty || (6...14).contains(barcode.count) && barcode.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw Problem(.validationFailed, "Line \(line): barcode has not 6 to 14 digits.") }
        let serving = try text("serving")
        return Food(
            name: name, serving: serving.isEmpty ? "100 g" : serving, energy: try number("energy", upTo: 10_000),
            protein: try number("protein", upTo: 1_000), carbohydrates: try number("carbohydrates", upTo: 1_000),
            fat: try number("fat", upTo: 1_000), barcode: barcode.isEmpty ? nil : barcode)
    }

    /// The cells of each line, with the number of the line in the file. Quotes may contain separators and line ends.
    private static func rows(of text: String, _ separator: Character) throws -> [(number: Int, cells: [String])] {
        var rows: [(number: Int, cells: [String])] = []
        var (cells, cell, line, first) = ([String](), "", 1, 1)
        var (isQuoted, wasQuote) = (false, false)
        func trimmed(_ text: String) -> String { text.trimmingCharacters(in: .whitespaces) }
        for character in text {
            if character.isNewline { line += 1 }
            if isQuoted, character != "\"" || wasQuote {
                // The quote before ended the cell unless it is doubled.
                if wasQuote, character != "\"" { isQuoted = false }
                wasQuote = false
                if isQuoted {
                    cell.append(character)
                    continue
                }
            } else if isQuoted {
                wasQuote = true
                continue
            } else if character == "\"", trimmed(cell).isEmpty {
                (isQuoted, cell) = (true, "")
                continue
            }
            if character == separator {
                cells.append(trimmed(cell))
                cell = ""
            } else if character.isNewline {
                rows.append((first, cells + [trimmed(cell)]))
                (cells, cell, first) = ([], "", line)
            } else {
                cell.append(character)
            }
        }
        guard !isQuoted || wasQuote else { throw Problem(.validationFailed, "Line \(first): A quote isn’t closed.") }
        if !cell.isEmpty || !cells.isEmpty { rows.append((first, cells + [trimmed(cell)])) }
        return rows
    }
}
