import Foundation
import HealthFiles
import HealthJSON

/// The objects of JSON as the rows of a table. Its columns are members, such as `weight`, or paths to them, such as
/// `weight.weight`, of the object itself or else of those around it.
struct ObjectRows {
    /// The names of the columns, in the order of the fields.
    let header: [String]
    private let columns: [[[String]]]
    private let path: [String]
    /// The names of the cells around the JSON of a cell, and the place of that one.
    private let cells: (names: [String], place: Int)?

    /// - Parameter header: The columns of the table whose cells have the JSON.
    init(_ mapping: ColumnMapping, cells header: [String] = []) {
        let all = ColumnTable.allColumns(of: mapping)
        self.header = all.map(\.title)
        columns = all.map { $0.names.map { $0.split(separator: ".").map(String.init) } }
        path = mapping.rows ?? []
        let place = header.firstIndex { mapping.cell?.names.contains($0) ?? false }
        cells = place.map { (header, $0) }
    }

    /// Calls `body` with the fields of each row in a value.
    func forEach(of value: JSONValue, _ body: ([String]) -> Void) { visit(value, path[...], [], body) }

    /// Calls `body` with the fields of each row in the JSON of a cell.
    func forEach(in fields: [String], _ body: ([String]) -> Void) {
        guard let cells, fields.indices.contains(cells.place) else { return }
        let pairs = zip(cells.names, fields.map { JSONValue.string($0) })
        let row = JSONValue.object(JSONMembers(Dictionary(pairs, uniquingKeysWith: { first, _ in first })))
        visit(JSONValue(Array(fields[cells.place].utf8)) ?? .object(JSONMembers()), path[...], [row], body)
    }

    /// An object without a list or an object where the path leads on, or with an empty list there, is a row, too.
    private func visit(
        _ value: JSONValue, _ path: ArraySlice<String>, _ outer: [JSONValue], _ body: ([String]) -> Void
    ) {
        if let elements = value.elements {
            for element in elements { visit(element, path, outer, body) }
        } else if let name = path.first, let inner = value[name], !(inner.elements?.isEmpty ?? (inner.members == nil)) {
            visit(inner, path.dropFirst(), outer + [value], body)
        } else if value.members != nil {
            let chain = outer + [value]
            body(columns.map { Self.field($0, chain) })
        }
    }

    private static func field(_ names: [[String]], _ chain: [JSONValue]) -> String {
        for path in names {
            for value in chain.reversed() {
                if let text = path.reduce(value, member).flatMap(text), !text.isEmpty { return text }
            }
        }
        return ""
    }

    /// A member of an object, or of one whose JSON is in a text.
    private static func member(_ value: JSONValue?, _ name: String) -> JSONValue? {
        guard case .string(let text) = value, text.first == "{" else { return value?[name] }
        return JSONValue(Array(text.utf8))?[name]
    }

    /// A value as the text of a cell: a list of numbers as `[60,null]`; `nil` for an object and for null.
    static func text(_ value: JSONValue) -> String? {
        switch value {
        case .string(let text): text
        case .number(let number): number.isFinite ? DecimalText.print(number) : nil
        case .bool(let flag): flag ? "true" : "false"
        case .array(let elements):
            "[\(elements.map { text($0) ?? "null" }.joined(separator: ","))]"
        case .object, .null: nil
        }
    }
}

extension FileDamage {
    /// The place where JSON ends to be JSON.
    init(_ error: JSONSyntaxError) {
        self.init(offset: error.offset, reason: error.reason.prefix(1).lowercased() + error.reason.dropFirst())
    }
}
