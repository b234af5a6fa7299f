import HealthFiles
import HealthJSON
import HealthModel

/// The arrays of a JSON file whose elements mappings read as rows, with a column for each path, such as `value.option`.
struct JSONTables {
    private let mappings: [ColumnMapping]
    private let file: InputFile

    /// The number of bytes of an object among whose members the names are: what comes first may be long.
    private static let objectHead = 1 << 20

    /// `nil` for a file whose beginning has the names of none of the mappings.
    init?(_ file: CandidateFile, _ mappings: [ColumnMapping]) {
        (self.mappings, self.file) = (mappings.filter { !$0.elements.isEmpty }, file.file)
        if self.mappings.contains(where: { Self.names($0, in: file.text) }) { return }
        let objects = self.mappings.filter { $0.elements != [""] }
        guard file.text.first == "{", file.file.size > CandidateFile.headLength, !objects.isEmpty,
            let head = file.file.head(Self.objectHead)
        else { return nil }
        let text = String(decoding: head, as: UTF8.self).drop { $0 != "{" }
        guard objects.contains(where: { Self.names($0, in: text) }) else { return nil }
    }

    private static func names(_ mapping: ColumnMapping, in text: Substring) -> Bool {
        func has(_ path: String) -> Bool { path.split(separator: ".").allSatisfy { text.contains("\"\($0)\"") } }
        return mapping.elements.contains { text.first == ($0.isEmpty ? "[" : "{") && has($0) }
            && mapping.required.allSatisfy { $0.names.contains(where: has) }
    }

    var recognition: Recognition { .reads(.exact, type: "JSON") { try read($0, $1) } }

    /// Reads the arrays in parts.
    ///
    /// - Throws: ``FileReadingError``; errors of the source and of `yield`.
    private func read(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        do {
            var reading = try Reading(mappings, context)
            var json = JSONReader(try file.json(), isLenient: true)
            do {
                try reading.walk(&json, "", yield)
            } catch let error as JSONSyntaxError {
                // What is before was read, as of a table.
                try reading.end(yield)
                throw FileReadingError(error.description)
            }
            try reading.end(yield)
            context.count(file.size)
        } catch let error as ColumnMappingError {
            throw FileReadingError(error.description)
        }
    }

    private struct Table {
        let paths: [String]
        let columns: [ColumnMapping.Column]
        /// The first members of the columns' paths.
        let roots: Set<Substring>
        let table: ColumnTable

        /// Whether an element has the members by which its array is recognized.
        func fits(_ element: JSONValue) -> Bool {
            table.mapping.required.allSatisfy { $0.names.contains { element[$0] != nil } }
        }
    }

    private struct Reading {
        let tables: [Table]
        let context: ImportContext
        var content = FileContent(coversTotals: true)
        var flow = FlowDays()

        init(_ mappings: [ColumnMapping], _ context: ImportContext) throws {
            self.context = context
            tables = try mappings.map { mapping in
                let columns = ColumnTable.allColumns(of: mapping)
                return Table(
                    paths: mapping.elements, columns: columns,
                    roots: Set(columns.flatMap(\.names).compactMap { $0.split(separator: ".").first }),
                    table: try ColumnTable(mapping, header: columns.map(\.title)))
            }
        }

        mutating func walk(_ json: inout JSONReader, _ path: String, _ yield: (FileContent) throws -> Void) throws {
            switch try json.kind() {
            case .object where path.isEmpty || tables.contains { $0.paths.contains { $0.hasPrefix(path + ".") } }:
                try json.object { try walk(&$0, path.isEmpty ? $1 : "\(path).\($1)", yield) }
            case .array where tables.contains { $0.paths.contains(path) }:
                try json.array { json, _ in
                    let offset = json.offset
                    let element = try json.value()
                    let possible = tables.filter { $0.paths.contains(path) }
                    let fitting = possible.count == 1 ? possible : possible.filter { $0.fits(element) }
                    if fitting.isEmpty { content.leaveOut("entry of another kind") }
                    for table in fitting {
                        for row in Self.rows(of: element, table) {
                            table.table.read(.init(line: 1, fields: row), at: offset, context, into: &content)
                        }
                    }
                    if content.count >= 4_096 || content.damages.count >= 1_024 { try hand(on: yield) }
                }
            default: try json.skip()
            }
        }

        private mutating func hand(on yield: (FileContent) throws -> Void) throws {
            flow.take(from: &content)
            try yield(content)
            content = FileContent(coversTotals: true)
        }

        mutating func end(_ yield: (FileContent) throws -> Void) throws {
            try hand(on: yield)
            if let days = flow.content { try yield(days) }
        }

        /// The cells of an element; of one with a list, as many rows as that has elements.
        private static func rows(of element: JSONValue, _ table: Table) -> [[String]] {
            let list = element.members?.entries.first { table.roots.contains($0.name[...]) && $0.value.elements != nil }
            let items = list?.value.elements ?? [.null]
            return items.map { item in
                table.columns.map { column in
                    column.names.lazy.map { path in
                        var parts = path.split(separator: ".")[...]
                        var value: JSONValue? = element
                        if let list, parts.first == list.name[...] { (value, parts) = (item, parts.dropFirst()) }
                        return text(parts.reduce(value) { $0?[String($1)] })
                    }.first { !$0.isEmpty } ?? ""
                }
            }
        }

        private static func text(_ value: JSONValue?) -> String {
            switch value {
            case .string(let text): text
            case .number(let number): Int64(exactly: number).map { "\($0)" } ?? "\(number)"
            case .bool(let flag): "\(flag)"
            default: ""
            }
        }
    }
}
