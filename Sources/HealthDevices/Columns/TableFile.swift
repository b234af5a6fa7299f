import HealthFiles

/// A file with a table, which is read row by row.
struct TableFile {
    /// Begins to read a file: each call of the result returns the next bytes, none at the end.
    typealias Opening = () throws -> () throws -> [UInt8]

    let mapping: ColumnMapping
    /// The mappings of the tables that follow each other in the file, if it may have several.
    private let sections: [ColumnMapping]
    private let open: Opening
    /// The cells of columns that a service's file has in its name only.
    private let nameCells: [String]
    private static let nameColumns = ["date in the name", "sport in the name"]

    /// - Parameter name: The last part of the file's name.
    init(_ mapping: ColumnMapping, sections: [ColumnMapping] = [], name: Substring? = nil, _ open: @escaping Opening) {
        (self.mapping, self.sections, self.open) = (mapping, sections, open)
        let isNamed = mapping.start.map { $0.columns[0].title == Self.nameColumns[0] } ?? false
        nameCells = isNamed ? Self.cells(of: name ?? "") : []
    }

    /// The digits of the date, and the sport before it, without the place in names such as `BoulderTrailRun`.
    private static func cells(of name: Substring) -> [String] {
        let match = name.firstMatch(of: /^(.*?)(\d{14})/)
        let title = (match?.1 ?? "").map { $0.isUppercase ? " \($0)" : "\($0)" }.joined().split(separator: " ")
        let sport = title.suffix(title.dropLast().last == "Indoor" ? 2 : 1).joined(separator: " ")
        return [String(match?.2 ?? ""), sport.isEmpty ? "workout" : sport]
    }

    /// - Throws: ``ColumnMappingError`` if the mapping isn't one for this file.
    func check() throws {
        var header: [String] = []
        if mapping.headerLine > 0, let source = try? open(),
            var reader = try? CSVReader(separator: mapping.separator, headerLine: mapping.headerLine, source)
        {
            while header.isEmpty, let row = try? reader.next() {
                if row.line >= mapping.headerLine { header = row.fields }
            }
        }
        _ = try ColumnTable(mapping, header: header)
    }

    /// Reads the table in parts.
    ///
    /// - Throws: ``FileReadingError``; errors of the source and of `yield`.
    func read(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        do {
            try readRows(context, yield)
        } catch let error as ColumnMappingError {
            throw FileReadingError(error.description)
        }
    }

    private func readRows(_ context: ImportContext, _ yield: (FileContent) throws -> Void) throws {
        // A checksum is at the end: of a file that is damaged there, nothing is used.
        let whole = try open()
        while !(try whole()).isEmpty {}
        var reader = try CSVReader(
            separator: mapping.separator, headerLine: max(1, mapping.headerLine), context.counting(try open()))
        var mapping = mapping
        // Programs separate by semicolons where the comma is needed for numbers.
        mapping.decimal = mapping.decimal ?? (reader.separator == UInt8(ascii: ";") ? "," : ".")
        let separator = reader.separator
        mapping = try DateOrder.decided(in: mapping, context) { try CSVReader(separator: separator, open()) }
        // The tables of a file have their times in the same columns.
        let sections = try sections.map { section in
            var section = section
            section.headerLine = mapping.headerLine
            return try DateOrder.decided(in: section, context) { try CSVReader(separator: separator, open()) }
        }
        var (reading, flow) = (FileContent(coversTotals: true), FlowDays())
        do {
            var table = try mapping.headerLine == 0 ? ColumnTable(mapping, header: []) : nil
            var cells: ObjectRows?
            while var row = try reader.next() {
                if !nameCells.isEmpty {
                    row = .init(line: row.line, fields: (table == nil ? Self.nameColumns : nameCells) + row.fields)
                }
                if !sections.isEmpty, row.line > mapping.headerLine || table == nil, let first = row.fields.first {
                    // A title ends a table, and the name of a first column begins one.
                    let begins = sections.filter { $0.required.first?.names.contains(first) ?? false }
                    if row.fields.count == 1 || !begins.isEmpty {
                        table = begins.lazy.compactMap { try? ColumnTable($0, header: row.fields) }.first
                    } else if let table {
                        table.read(row, context, into: &reading)
                    } else if row.fields.count > 2 {
                        reading.leaveOut("row of another table")
                    }
                } else if let table, let cells {
                    cells.forEach(in: row.fields) {
                        table.read(.init(line: row.line, fields: $0), context, into: &reading)
                    }
                } else if let table {
                    table.read(row, context, into: &reading)
                } else if row.line >= mapping.headerLine {
                    let found = try ColumnTable(mapping, header: row.fields)
                    if found.unnamedCount > 0 {
                        reading.leaveOut("column that the mapping doesn't name", count: found.unnamedCount)
                    }
                    table = found
                    if mapping.cell != nil {
                        let rows = ObjectRows(mapping, cells: row.fields)
                        (cells, table) = (rows, try ColumnTable(mapping, header: rows.header))
                    }
                }
                try flow.hand(on: &reading, yield)
            }
        } catch let failure as CSVReader.Failure {
            reading.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
        try flow.hand(on: &reading, isEnd: true, yield)
    }
}
