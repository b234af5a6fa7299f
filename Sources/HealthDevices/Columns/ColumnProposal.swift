import Foundation
package import HealthFiles
import HealthFormats
import HealthJSON
import HealthModel

/// A mapping proposed for a table that no service has, after the names and the cells of its columns. A person looks at
/// it, completes it, and gives it to the import.
package struct ColumnProposal {
    /// The mapping, with a line for each member and sample.
    package private(set) var mapping = ""
    /// Sentences about what a person should look at. They have names of columns, and no cells.
    package private(set) var remarks: [String] = []
    /// The names of the columns; empty for one without.
    package var names: [String] { columns.map(\.name) }

    private struct Column {
        let number: Int
        let name: String
        let words: ColumnWords
        /// The texts of all rows, empty ones included.
        let cells: [String]
        let filled: [String]

        init(_ number: Int, _ name: String, _ cells: [String]) {
            (self.number, self.name, self.cells) = (number, name, cells)
            words = ColumnWords(name)
            filled = cells.filter { !$0.isEmpty }
        }
    }

    private var columns: [Column] = []
    private var used: Set<Int> = []
    private var decimal: Character = "."
    private var time: (columns: [Column], format: ProposedTime)?
    private var samples: [JSONValue] = []

    /// The rows that are looked at.
    private static let rowCount = 1_000

    /// - Throws: ``ImportError`` for a file without a line that names columns; ``FileReadingError``.
    package init(_ file: InputFile) throws { try self.init(file.pieces(), name: file.name) }

    /// - Parameter pieces: Returns the next bytes of the table; none at its end.
    /// - Throws: ``ImportError`` for a table without a line that names columns; ``FileReadingError``.
    package init(_ pieces: @escaping () throws -> [UInt8], name: String) throws {
        let name = name.split(separator: "/").last.map(String.init) ?? ""
        var reader = try CSVReader(pieces)
        var rows: [CSVReader.Row] = []
        while rows.count < Self.rowCount, let row = try? reader.next() { rows.append(row) }
        guard let head = Self.header(of: rows) else {
            throw ImportError(
                .notAnExport, "“\(name)” isn’t a table with the names of columns in a line before its rows.")
        }
        let header = rows[head].fields.map { $0.trimming }
        columns = header.enumerated().map { place, name in
            let cells = rows[(head + 1)...].map { place < $0.fields.count ? $0.fields[place].trimming : "" }
            return Column(place + 1, name, cells.map { ColumnNumber.text($0) ?? "" })
        }
        decimal = self.decimal(separator: reader.separator)
        let times = self.times()
        addSamples()
        let rest = columns.filter { !used.contains($0.number) && !$0.filled.isEmpty && !$0.name.isEmpty }
        for column in rest where column.words.role == .unclear {
            remarks.append("“\(column.name)” can be several types. Add a sample for it.")
        }
        let unknown = rest.filter { $0.words.role != .unclear }.map { "“\($0.name)”" }
        if !unknown.isEmpty { remarks.append("Left out, because it isn’t known: \(unknown.joined(separator: ", ")).") }
        if samples.isEmpty { remarks.append("No column was recognized. Add “samples”.") }
        let parts = name.split(separator: ".").map(String.init)
        let stem = parts.count > 1 ? parts.dropLast().joined(separator: ".") : name
        let separator = decimal == ColumnMapping.eitherDecimal ? "either" : String(decimal)
        var lines = [
            #""format": "\#(ColumnMappingReader.format)""#, #""source": \#(Self.text(.string(stem)))"#,
            #""header": \#(rows[head].line)"#, #""decimal": "\#(separator)""#,
        ]
        lines += times.map { "\(Self.text(.string($0))): \(Self.text($1))" }
        lines.append("\"samples\": [\n  \(samples.map(Self.text).joined(separator: ",\n  "))]")
        let left = columns.filter { !used.contains($0.number) && !$0.name.isEmpty }
            .map { ($0.name, JSONValue.string($0.name)) }
        if !left.isEmpty { lines.append("\"leftOut\": \(Self.text(Self.object(left)))") }
        mapping = "{" + lines.joined(separator: ",\n ") + "}\n"
    }

    /// The cells of the first rows, by column.
    package func rows(_ count: Int) -> [[String]] {
        (0..<min(count, columns.first?.cells.count ?? 0)).map { row in columns.map { $0.cells[row] } }
    }

    /// The place of the row with the names: texts before a row of as many fields, some of which have digits.
    private static func header(of rows: [CSVReader.Row]) -> Int? {
        rows.prefix(32).indices.dropLast(rows.count > 32 ? 0 : 1).first { place in
            let names = rows[place].fields.map { $0.trimming }.filter { !$0.isEmpty }
            let next = rows[place + 1].fields
            return rows[place].line <= 1_000 && names.count > 1 && abs(rows[place].fields.count - next.count) <= 1
                && names.allSatisfy { !($0.first?.isNumber ?? true) }
                && next.contains { $0.contains(where: \.isNumber) }
        }
    }

    // MARK: - Numbers

    /// The separator with which the most cells are numbers, and plausible ones.
    private func decimal(separator: UInt8) -> Character {
        let usual: Character = separator == UInt8(ascii: ";") ? "," : "."
        func score(_ decimal: Character) -> Int {
            columns.reduce(0) { score, column in
                guard let type = column.words.type else { return score }
                let own = ColumnWords.canonical(type)
                let unit = column.words.unit.flatMap { ColumnUnit.string($0, like: own, of: type) } ?? own
                let range = PlausibleRange(type)
                return column.filled.reduce(score) { score, cell in
                    let separator = decimal == ColumnMapping.eitherDecimal ? (cell.contains(",") ? "," : ".") : decimal
                    guard let value = ColumnNumber.parse(cell, decimal: separator) else { return score }
                    return score + (range?.contains(unit == "%" ? value / 100 : value, unit) ?? true ? 2 : 1)
                }
            }
        }
        let others: [Character] = [usual == "," ? "." : ",", ColumnMapping.eitherDecimal]
        return others.reduce(usual) { score($1) > score($0) ? $1 : $0 }
    }

    private func numbers(_ column: Column) -> [Double] {
        let values = column.filled.compactMap { cell in
            ColumnNumber.parse(
                cell, decimal: decimal == ColumnMapping.eitherDecimal ? (cell.contains(",") ? "," : ".") : decimal)
        }
        // Some cells have a word in the place of a number.
        return values.count * 10 >= column.filled.count * 9 ? values : []
    }

    // MARK: - Times

    /// The members `time` and `end`.
    private mutating func times() -> [(String, JSONValue)] {
        var found: [(columns: [Column], format: ProposedTime)] = []
        for column in columns where column.words.type == nil {
            if let format = ProposedTime(column.filled) { found.append(([column], format)) }
        }
        if let day = found.firstIndex(where: { $0.format.isDay }), let date = found[day].columns.first {
            for clock in columns where clock.number != date.number {
                let pairs = zip(date.cells, clock.cells).filter { !$0.isEmpty && !$1.isEmpty }
                guard !pairs.isEmpty, let format = ProposedTime(pairs.map(\.0), with: pairs.map(\.1)) else { continue }
                found[day] = ([date, clock], format)
                break
            }
        }
        func first(_ role: ColumnWords.Role?) -> Int? { found.firstIndex { $0.columns[0].words.role == role } }
        guard let start = first(.start) ?? first(.time) ?? first(nil) else {
            remarks.append("No column has a date that can be read. Add “time” with its “format”.")
            return []
        }
        time = found[start]
        var zone: JSONValue?
        if let column = columns.first(where: { $0.words.role == .zone }), !column.filled.isEmpty,
            column.filled.allSatisfy({ TimeZoneParser.zone($0) != nil })
        {
            zone = Self.object([("column", Self.reference(column))])
            used.insert(column.number)
        }
        var members = [("time", member(found[start], zone))]
        if let end = first(.end) { members.append(("end", member(found[end], zone))) }
        return members
    }

    private mutating func member(_ time: (columns: [Column], format: ProposedTime), _ zone: JSONValue?) -> JSONValue {
        used.formUnion(time.columns.map(\.number))
        let formats = time.format.formats
        if formats.count > 1 {
            remarks.append(
                "Dates in “\(time.columns[0].name)” can have the day or the month first. If all dates of the file don’t show which, keep one “format”."
            )
        }
        var members: [(String, JSONValue)] = [
            time.columns.count == 1
                ? ("column", Self.reference(time.columns[0]))
                : ("columns", .array(time.columns.map { .string($0.name) })),
            ("format", formats.count == 1 ? .string(formats[0]) : .array(formats.map { .string($0) })),
        ]
        if let zone { members.append(("zone", zone)) }
        return Self.object(members)
    }

    // MARK: - Samples

    private mutating func addSamples() {
        let typed = columns.filter { !used.contains($0.number) && $0.words.type != nil }
        func pressure(_ side: String) -> Column? {
            typed.first { $0.words.type?.shortName == "bloodPressure\(side)" && !numbers($0).isEmpty }
        }
        let sides = (pressure("Systolic"), pressure("Diastolic"))
        if case (let upper?, let lower?) = sides {
            let members = [("systolic", upper), ("diastolic", lower)].map { name, column in
                (name, Self.object([("column", Self.reference(column))] + unit(of: column)))
            }
            add([("type", .string("bloodPressure"))] + members, [upper, lower])
        }
        for column in typed where !used.contains(column.number) {
            guard let type = column.words.type else { continue }
            if type.shortName == "bloodPressure" {
                guard column.filled.allSatisfy({ $0.contains(/^\d{2,3}\s*\/\s*\d{2,3}$/) }) else { continue }
                let parts = ["systolic", "diastolic"].enumerated().map { place, name in
                    (name, Self.object([("column", Self.reference(column)), ("part", .number(Double(place + 1)))]))
                }
                add([("type", .string("bloodPressure"))] + parts, [column])
            } else if !numbers(column).isEmpty {
                add(
                    [("type", .string(type.shortName)), ("column", Self.reference(column))] + unit(of: column)
                        + day(of: type), [column])
            }
        }
        if samples.isEmpty { addNamedValues() }
    }

    private mutating func add(_ members: [(String, JSONValue)], _ columns: [Column]) {
        used.formUnion(columns.map(\.number))
        samples.append(Self.object(members))
    }

    /// The samples of a table with a value in each row, and its type in another column.
    private mutating func addNamedValues() {
        guard let value = columns.first(where: { $0.words.role == .value && !numbers($0).isEmpty }) else { return }
        let unit = columns.first { $0.words.role == .unit }
        let names = columns.first { column in
            column.words.role == .type && column.filled.contains { ColumnWords.type(called: $0) != nil }
        }
        guard let names else { return }
        var known: Set<String> = []
        for name in names.filled where known.insert(name).inserted {
            guard let type = ColumnWords.type(called: name), type.kind == .quantity else {
                remarks.append("Some rows have a type in “\(names.name)” that isn’t known.")
                continue
            }
            var members: [(String, JSONValue)] = [
                ("type", .string(type.shortName)), ("column", Self.reference(value)),
            ]
            if let unit, type.canonicalUnit != "count" {
                members.append(("unit", Self.object([("column", Self.reference(unit))])))
            }
            members.append(("where", Self.object([(names.name, .string(name))])))
            add(members + day(of: type), [names, value] + [unit].compactMap(\.self))
        }
        remarks = remarks.reduce(into: []) { if !$0.contains($1) { $0.append($1) } }
    }

    /// The members that say in which unit the numbers of a column are.
    private mutating func unit(of column: Column) -> [(String, JSONValue)] {
        if let unit = column.words.unit { return [("unit", .string(unit))] + share(column, unit == "%") }
        guard let type = column.words.type, let canonical = type.canonicalUnit, canonical != "count" else { return [] }
        if let usual = UnitRegion.unitEverywhere(of: type.identifier) ?? (canonical == "%" ? canonical : nil) {
            return usual == "%" ? share(column, true) : []
        }
        // Only one of these units has such numbers.
        let values = numbers(column).sorted()
        let middle = values.isEmpty ? 0 : values[values.count / 2]
        let certain: String? =
            switch canonical {
            case "mg/dL": middle > 35 ? "mg/dL" : "mmol/L"
            case "degC": middle > 60 ? "degF" : "degC"
            case "mmHg": "mmHg"
            default: type.shortName == "height" && (100...250).contains(middle) ? "cm" : nil
            }
        if let certain { return [("unit", .string(certain))] }
        remarks.append("“\(column.name)” doesn’t name its unit. It is taken to be \(canonical).")
        return [("unit", .string(canonical)), ("comment", .string("Is this the unit?"))]
    }

    /// A percentage that is written as a part of one.
    private mutating func share(_ column: Column, _ isPercentage: Bool) -> [(String, JSONValue)] {
        guard isPercentage, numbers(column).allSatisfy({ $0 <= 1 }) else { return [] }
        remarks.append(
            "“\(column.name)” has no number above 1, so 1 is taken to be 100 %. If it isn’t, remove “factor”.")
        return [("factor", .number(100))]
    }

    /// An amount of a date without a time is that of the day.
    private func day(of type: TypeDescription) -> [(String, JSONValue)] {
        guard let time, time.format.isDay, type.aggregationStyle?.isCumulative ?? false,
            !columns.contains(where: { $0.words.role == .end && used.contains($0.number) })
        else { return [] }
        return [("duration", Self.object([("value", .number(1)), ("unit", .string("d"))]))]
    }

    // MARK: - JSON

    /// A column by its name, or by its number if it has none of its own.
    private static func reference(_ column: Column) -> JSONValue {
        column.name.isEmpty || column.name.contains("*") ? .number(Double(column.number)) : .string(column.name)
    }

    private static func object(_ members: [(String, JSONValue)]) -> JSONValue {
        .object(members.reduce(into: JSONMembers()) { $0.append($1.0, $1.1) })
    }

    /// JSON as people write it: members in their order, with spaces.
    private static func text(_ value: JSONValue) -> String {
        if let elements = value.elements { return "[\(elements.map(text).joined(separator: ", "))]" }
        if let members = value.members {
            return "{\(members.entries.map { "\(text(.string($0.name))): \(text($0.value))" }.joined(separator: ", "))}"
        }
        var json = JSONText()
        value.write(to: &json)
        return json.text
    }
}

extension String {
    fileprivate var trimming: String { trimmingCharacters(in: .whitespacesAndNewlines) }
}
