import HealthFiles
import HealthJSON

/// A JSON file whose objects mappings read as rows, with a column for each path, such as `weight.value`.
struct JSONTables {
    let mappings: [ColumnMapping]
    let file: InputFile

    /// The number of bytes of an object among whose members the names are: what comes first may be long.
    private static let objectHead = 1 << 20

    /// Whether the beginning of a file has the names by which the objects of a mapping are recognized.
    static func fits(_ file: CandidateFile, _ mapping: ColumnMapping) -> Bool {
        if names(mapping, in: file.text) { return true }
        guard file.text.first == "{", file.file.size > CandidateFile.headLength,
            mapping.elements.contains(where: { $0.contains(".") }), let head = file.file.head(objectHead)
        else { return false }
        return names(mapping, in: String(decoding: head, as: UTF8.self).drop { $0 != "{" })
    }

    private static func names(_ mapping: ColumnMapping, in text: Substring) -> Bool {
        func has(_ path: String) -> Bool { path.split(separator: ".").allSatisfy { text.contains("\"\($0)\"") } }
        let begins =
            mapping.elements.isEmpty
            ? ["{", "["].contains(text.first)
            : mapping.elements.contains { text.first == ($0.isEmpty ? "[" : "{") && has($0) }
        return begins && mapping.required.allSatisfy { $0.names.contains(where: has) }
    }

    /// Totals come last, as those of tables do.
    var recognition: Recognition {
        .reads(mappings.contains(where: \.isTotals) ? .total : .exact, type: "JSON") { try read($0, $1) }
    }

    /// Reads the objects in parts.
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
                reading.content.damages.append(.init(error))
            }
            try reading.flow.hand(on: &reading.content, isEnd: true, yield)
            context.count(file.size)
        } catch let error as ColumnMappingError {
            throw FileReadingError(error.description)
        }
    }

    private struct Table {
        let paths: [String]
        let rows: ObjectRows
        let table: ColumnTable

        init(_ mapping: ColumnMapping) throws {
            paths = mapping.elements.isEmpty ? [""] : mapping.elements
            rows = ObjectRows(mapping)
            table = try ColumnTable(mapping, header: rows.header)
        }

        /// Whether an element has the members by which it is recognized.
        func fits(_ element: JSONValue) -> Bool {
            table.mapping.required.allSatisfy { $0.names.contains { element[$0] != nil } }
        }
    }

    private struct Reading {
        let tables: [Table]
        let context: ImportContext
        var content = FileContent(coversTotals: true)
        var flow = FlowDays()
        /// The hashes of rows of objects of logs, which repeat what has not changed. There may be millions of them.
        var known: Set<Int> = []

        init(_ mappings: [ColumnMapping], _ context: ImportContext) throws {
            (self.context, tables) = (context, try mappings.map { try Table($0) })
        }

        /// Reads the value at a path: a list of elements, an element, or an object that leads to some.
        mutating func walk(_ json: inout JSONReader, _ path: String, _ yield: (FileContent) throws -> Void) throws {
            let paths = tables.flatMap(\.paths)
            let leadsOn = paths.contains { path.isEmpty ? !$0.isEmpty : $0.hasPrefix(path + ".") }
            switch try json.kind() {
            case .object where leadsOn:
                try json.object { try walk(&$0, path.isEmpty ? $1 : "\(path).\($1)", yield) }
            case .array where paths.contains(path): try json.array { json, _ in try element(&json, path, yield) }
            case .object where paths.contains(path): try element(&json, path, yield)
            default: try json.skip()
            }
        }

        private mutating func element(
            _ json: inout JSONReader, _ path: String, _ yield: (FileContent) throws -> Void
        ) throws {
            let offset = json.offset
            let element = try json.value()
            let possible = tables.filter { $0.paths.contains(path) }
            let fitting = possible.count == 1 ? possible : possible.filter { $0.fits(element) }
            if fitting.isEmpty { content.leaveOut("entry of another kind") }
            for table in fitting {
                table.rows.forEach(of: element) { fields in
                    guard table.table.mapping.rows == nil || known.insert(fields.hashValue).inserted else {
                        return content.leaveOut("object that the file has twice")
                    }
                    table.table.read(.init(line: 1, fields: fields), at: offset, context, into: &content)
                }
            }
            try flow.hand(on: &content, yield)
        }
    }
}
