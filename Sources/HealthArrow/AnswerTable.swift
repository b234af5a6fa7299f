package import Foundation
package import HealthAnswers
import HealthJSON
import HealthModel

/// The answer of a question as a table. Its JSON schema gives the columns; the first list of objects in it, the rows; longer
/// intervals, if the answer has them.
///
/// Members get the names of columns: `sumQuantity` becomes `sum`, and a member `deep` of a member `stages` becomes
/// `stages_deep`. Quantities are numbers, whose unit the column has, and so do numbers in a fixed unit.
package struct AnswerTable: ArrowSource {
    private let columns: [Column]
    private let rows: [JSONValue]
    private let timeZone: TimeZone

    /// Creates the table of an answer.
    ///
    /// - Throws: `JSONSyntaxError` if the answer's JSON is larger than what is read as a whole.
    package init<Answer: AnswerObject>(_ answer: Answer, timeZone: TimeZone) throws {
        try self.init(answer.json(timeZone: timeZone), of: Answer.self, timeZone: timeZone)
    }

    /// Creates the table of an answer that is JSON already.
    ///
    /// - Throws: `JSONSyntaxError` for text that isn't JSON, or larger than what is read as a whole.
    init<Answer: AnswerObject>(_ json: [UInt8], of answer: Answer.Type, timeZone: TimeZone) throws {
        self.timeZone = timeZone
        let schema = Answer.schema
        let shapes = ShapeReader(
            components: try schema.components.mapValues { try Self.value(Array($0.utf8)) }, timeZone: timeZone)
        let value = try Self.value(json)
        guard case .structure(let members) = shapes.shape(try Self.value(Array(schema.json.utf8))) else {
            preconditionFailure("An answer is an object.")
        }
        let lists = members.filter { $0.list != nil }
        // Weeks in place of nights, say.
        let list = lists.first { $0.name == "intervals" && value[$0.name] != nil } ?? lists.first
        let rows = list.map { value[$0.name]?.elements ?? [] } ?? [value]
        self.rows = rows
        // A member that no object has is one that this answer can't have, such as the sum of a discrete type.
        columns = Self.columns(list?.list ?? members, rows).filter { column in
            rows.isEmpty || column.isRequired || rows.contains { column.value(of: $0) != nil }
        }.map { column in
            var column = column
            let beginning = list.map { [$0.name] } ?? []
            column.unit = column.unit ?? schema.units.first { $0.path == beginning + column.measured }?.unit
            return column
        }
    }

    private static func value(_ json: [UInt8]) throws -> JSONValue {
        try json.withUnsafeBufferPointer { try JSONReader.scan($0) { try $0.value() } }
    }

    package func read(to output: any ArrowOutput) throws {
        let instants = LocalClock(timeZone: timeZone)
        try output.begin(columns.map(\.field))
        guard !rows.isEmpty else { return }
        let data = columns.map { column in
            let data = ArrowColumn(column.field.type, capacity: rows.count)
            for row in rows { Self.append(column.value(of: row), column.shape, to: data, instants) }
            return data
        }
        try output.write(ArrowBatch(data, count: rows.count))
    }

    // MARK: Columns

    /// A column, and the names of the members that lead to its value.
    private struct Column {
        let path: [String]
        let shape: Shape
        let isRequired: Bool
        var unit: String?
        /// The number in an object of numbers, which have one unit.
        var isEntry = false

        /// The names of the members that lead to what has a unit.
        var measured: [String] { isEntry ? path.dropLast() : path }

        var field: ArrowField {
            ArrowField(ColumnName.of(path), shape.type, isNullable: !isRequired, unit: unit)
        }

        func value(of row: JSONValue) -> JSONValue? {
            path.reduce(Optional(row)) { $0?[$1] }
        }
    }

    /// The columns of the members of objects: of their members in place of objects.
    private static func columns(
        _ members: [Member], _ rows: [JSONValue], below path: [String] = [], isRequired: Bool = true
    ) -> [Column] {
        members.flatMap { member -> [Column] in
            let path = path + [member.name]
            let isRequired = isRequired && member.isRequired
            func values() -> [JSONValue] { rows.compactMap { row in path.reduce(Optional(row)) { $0?[$1] } } }
            switch member.shape {
            case .structure(let inner): return columns(inner, rows, below: path, isRequired: isRequired)
            case .numbers:
                let names = Set(values().flatMap { $0.members.map { Array($0.dictionary.keys) } ?? [] })
                return names.sorted().map {
                    Column(path: path + [$0], shape: .number, isRequired: false, isEntry: true)
                }
            case .quantity:
                let unit = values().lazy.compactMap { $0["unit"]?.text }.first
                return [Column(path: path + ["quantity"], shape: .number, isRequired: isRequired, unit: unit)]
            default: return [Column(path: path, shape: member.shape, isRequired: isRequired)]
            }
        }
    }

    private static func append(
        _ value: JSONValue?, _ shape: Shape, to column: ArrowColumn, _ instants: LocalClock
    ) {
        switch (shape, value) {
        case (.number, .number(let number)?): column.append(number)
        // Numbers that JSON doesn't have.
        case (.number, .string(let text)?): Double(text).map { column.append($0) } ?? column.appendNull()
        case (.integer, .number(let number)?): column.append(Int64(exactly: number) ?? 0)
        case (.flag, .bool(let flag)?): column.append(flag)
        case (.text, .string(let text)?): column.append(text)
        case (.instant, .string(let text)?):
            instants.instant(of: text).map { column.append(instant: $0) } ?? column.appendNull()
        case (.day, .string(let text)?): ArrowDay.number(of: text).map { column.append(day: $0) } ?? column.appendNull()
        case (.uuid, .string(let text)?):
            guard let uuid = UUID(uuidString: text)?.uuid else { return column.appendNull() }
            column.append(1, of: uuid_t.self) { $0[0] = uuid }
        case (.source, let value?): value["source"]?.text.map { column.append($0) } ?? column.appendNull()
        case (.quantity, let value?): append(value["quantity"], .number, to: column, instants)
        case (.list(let element), .array(let elements)?):
            for value in elements { append(value, element, to: column.children[0], instants) }
            column.appendChildren()
        case (.structure(let members), .object?):
            for (member, child) in zip(members, column.children) {
                append(value?[member.name], member.shape, to: child, instants)
            }
            column.appendChildren()
        case (.numbers, let value?), (.other, let value?):
            var json = JSONText()
            value.write(to: &json)
            column.append(json.text)
        default: column.appendNull()
        }
    }
}

/// The names of columns.
private enum ColumnName {
    /// The name for the members that lead to a value: their words in lower case. “Quantity” is left out, and so is
    /// “main” in the figures of a night.
    static func of(_ path: [String]) -> String {
        var path = path.count > 1 && path[0] == "main" ? path.dropFirst() : path[...]
        if path.count > 1, path.last == "quantity" { path.removeLast() }
        return path.map { member in
            let member = member.hasSuffix("Quantity") ? member.dropLast("Quantity".count) : member[...]
            return member.reduce(into: "") { name, letter in
                if letter.isUppercase, !name.isEmpty { name += "_" }
                name += letter.lowercased()
            }
        }.joined(separator: "_")
    }
}

/// A member of an object in an answer.
private struct Member: Sendable {
    let name: String
    let shape: Shape
    let isRequired: Bool

    /// The members of the objects that it is a list of.
    var list: [Member]? {
        if case .list(.structure(let members)) = shape { members } else { nil }
    }
}

/// The structure of a value in an answer.
private indirect enum Shape: Sendable {
    case number, integer, flag, text, day, uuid, quantity, source
    /// An instant, which is shown in a time zone.
    case instant(TimeZone)
    /// Numbers by name.
    case numbers
    case list(Shape)
    case structure([Member])
    /// Something that stays JSON.
    case other

    var type: ArrowType {
        switch self {
        case .number, .quantity: .float64
        case .integer: .int64
        case .flag: .bool
        case .text, .source, .numbers, .other: .text
        case .instant(let zone): .timestamp(in: zone)
        case .day: .date
        case .uuid: .uuid
        case .list(let element): .list(ArrowField("item", element.type))
        case .structure(let members): .structure(members.map { ArrowField(ColumnName.of([$0.name]), $0.shape.type) })
        }
    }
}

/// Reads JSON schemas.
private struct ShapeReader {
    let components: [String: JSONValue]
    let timeZone: TimeZone

    func shape(_ schema: JSONValue) -> Shape {
        if let reference = schema["$ref"]?.text?.split(separator: "/").last {
            switch reference {
            case "Number": return .number
            case "Instant": return .instant(timeZone)
            case "Day": return .day
            case "Quantity": return .quantity
            case "Source": return .source
            default: return components[String(reference)].map(shape) ?? .other
            }
        }
        switch schema["type"]?.text {
        case "number": return .number
        case "integer": return .integer
        case "boolean": return .flag
        case "string": return schema["format"]?.text == "uuid" ? .uuid : .text
        case "array": return .list(schema["items"].map(shape) ?? .other)
        case "object":
            guard let members = schema["properties"]?.members else { return .numbers }
            let required = Set((schema["required"]?.elements ?? []).compactMap(\.text))
            return .structure(
                members.entries.map {
                    Member(name: $0.name, shape: shape($0.value), isRequired: required.contains($0.name))
                })
        default: return .other
        }
    }
}

/// Days as Arrow has them.
enum ArrowDay {
    /// The days from 1970 to 2001.
    private static let reference = 11_323

    /// The days from 1970 to a day such as `2024-01-31`; `nil` for another text.
    static func number(of text: String) -> Int? {
        DateText.day(text).map { $0 + reference }
    }

    /// The text of a day by its number from 1970 on.
    static func text(of number: Int) -> String { LocalClock.dayText(number: number - reference) }
}
