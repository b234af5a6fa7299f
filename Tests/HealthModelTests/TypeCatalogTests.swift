import Foundation
import HealthModel
import Testing

@Suite("The catalog of types")
struct TypeCatalogTests {
    @Test(
        "Every row of the tables is a type with its short name",
        arguments: [
            ("quantity-types.tsv", "identifier"), ("category-types.tsv", "identifier"),
            ("object-types.tsv", "short name"),
        ])
    func tables(table: String, column: String) throws {
        let root = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
            .deletingLastPathComponent()
        let file = root.appendingPathComponent("Scripts/tables/\(table)")
        let rows = try String(contentsOf: file, encoding: .utf8).split(separator: "\n").map {
            $0.split(separator: "\t", omittingEmptySubsequences: false).map(String.init)
        }
        let place = try #require(rows[0].firstIndex(of: column))
        let names = Set(TypeCatalog.all.map(\.shortName))
        #expect(names.count == TypeCatalog.all.count)
        for row in rows.dropFirst() { #expect(names.contains(row[place]), "\(table): \(row[place])") }
    }

    @Test("Customary units are of all regions, or one for each system, and convert to the canonical unit")
    func customaryUnits() throws {
        let types = TypeCatalog.all.filter { !$0.customaryUnits.isEmpty }
        #expect(types.count > 30)
        for type in types {
            #expect([1, 3].contains(type.customaryUnits.count), "\(type.identifier)")
            let canonical = try #require(type.canonicalUnit)
            for unit in type.customaryUnits {
                #expect(
                    unit == canonical || UnitConversion(between: canonical, and: unit) != nil,
                    "\(type.identifier): \(unit)")
            }
        }
    }

    @Test("A line of a table is an identifier and a value, which can have colons")
    func lines() {
        let lines = TypeCatalog.values("A: b, c\nD: e: f\n\nG")
        #expect(lines.map(\.identifier) == ["A", "D"] && lines.map { String($0.value) } == ["b, c", "e: f"])
    }
}
