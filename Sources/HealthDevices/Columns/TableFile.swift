import HealthFiles

/// A file with a table, which is read row by row.
struct TableFile {
    /// Begins to read a file: each call of the result returns the next bytes, none at the end.
    typealias Opening = () throws -> () throws -> [UInt8]

    let mapping: ColumnMapping
    private let open: Opening

    init(_ mapping: ColumnMapping, _ open: @escaping Opening) {
        (self.mapping, self.open) = (mapping, open)
    }

    /// Any type of a table may have totals in another one.
    private static let empty = FileContent(coversTotals: true)

    /// Whether the file only has totals, which are read after what has detail.
    var isTotals: Bool { mapping.samples.contains(where: \.isTotal) }

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
        var reading = Self.empty
        do {
            var table = try mapping.headerLine == 0 ? ColumnTable(mapping, header: []) : nil
            while let row = try reader.next() {
                if let table {
                    table.read(row, context, into: &reading)
                } else if row.line >= mapping.headerLine {
                    let found = try ColumnTable(mapping, header: row.fields)
                    if found.unnamedCount > 0 {
                        reading.leaveOut("column that the mapping doesn't name", count: found.unnamedCount)
                    }
                    table = found
                }
                if reading.count >= 4_096 || reading.damages.count >= 1_024 {
                    try yield(reading)
                    reading = Self.empty
                }
            }
        } catch let failure as CSVReader.Failure {
            reading.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        }
        try yield(reading)
    }
}
