import Foundation
import HealthEngine
import HealthFiles

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
    static func read(_ bytes: [UInt8]) throws -> [Food] {
        var rest = bytes[...]
        var reader = try CSVReader {
            defer { rest = [] }
            return Array(rest)
        }
        do {
            guard let head = try reader.next() else { throw Problem(.validationFailed, "The file is empty.") }
            let places = try places(in: head)
            var foods: [Food] = []
            while let row = try reader.next() {
                guard row.fields.contains(where: { !trimmed($0).isEmpty }) else { continue }
                guard foods.count < maximumFoods else {
                    throw Problem(.validationFailed, "The file has more than \(maximumFoods) foods.")
                }
                foods.append(try food(row, places, hasDecimalCommas: reader.separator != UInt8(ascii: ",")))
            }
            return foods
        } catch let failure as CSVReader.Failure {
            throw Problem(.validationFailed, "Line \(failure.line): The row doesn’t end; check its quotation marks.")
        }
    }

    private static func trimmed(_ field: String) -> String { field.trimmingCharacters(in: .whitespaces) }

    private static func places(in head: CSVReader.Row) throws -> [String: Int] {
        var places: [String: Int] = [:]
        for (place, title) in head.fields.enumerated() {
            // energy_kcal and Energy (kcal) are energy.
            let name = String(trimmed(title).lowercased().prefix { $0.isLetter })
            if columns.contains(name), places[name] == nil { places[name] = place }
        }
        for required in ["name", "energy"] where places[required] == nil {
            throw Problem(
                .validationFailed,
                "Line \(head.line): The column “\(required)” is missing. Columns are \(columns.joined(separator: ", "))."
            )
        }
        return places
    }

    private static func food(
        _ row: CSVReader.Row, _ places: [String: Int], hasDecimalCommas: Bool
    ) throws -> Food {
        let line = row.line
        func text(_ column: String) throws -> String {
            guard let place = places[column], place < row.fields.count else { return "" }
            let text = trimmed(row.fields[place])
            guard text.count <= maximumLength else {
                throw Problem(
                    .validationFailed, "Line \(line): \(column) must have at most \(maximumLength) characters.")
            }
            return text
        }
        func number(_ column: String, upTo maximum: Double) throws -> Double {
            var text = try text(column)
            if text.isEmpty, column != "energy" { return 0 }
            if hasDecimalCommas { text = text.replacing(",", with: ".") }
            guard let number = Double(text), (0...maximum).contains(number) else {
                throw Problem(.validationFailed, "Line \(line): \(column) must be a number from 0 to \(Int(maximum)).")
            }
            return number
        }
        let name = try text("name")
        guard !name.isEmpty else { throw Problem(.validationFailed, "Line \(line): name is empty.") }
        let barcode = try text("barcode").filter { !$0.isWhitespace }
        guard barcode.isEmpty || (6...14).contains(barcode.count) && barcode.utf8.allSatisfy({ (48...57).contains($0) })
        else { throw Problem(.validationFailed, "Line \(line): barcode must have 6 to 14 digits.") }
        let serving = try text("serving")
        return Food(
            name: name, serving: serving.isEmpty ? "100 g" : serving, energy: try number("energy", upTo: 10_000),
            protein: try number("protein", upTo: 1_000), carbohydrates: try number("carbohydrates", upTo: 1_000),
            fat: try number("fat", upTo: 1_000), barcode: barcode.isEmpty ? nil : barcode)
    }
}
