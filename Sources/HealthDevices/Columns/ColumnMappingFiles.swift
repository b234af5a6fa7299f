import HealthFiles

/// Reads tables by a mapping that a person has written: the one given to the import, or those among its files.
final class ColumnMappingFiles: FileReader {
    /// The mapping that was given, with which nothing but its tables is read.
    private let given: ColumnMapping?
    private var mappings: [String: ColumnMapping] = [:]

    /// - Parameter columns: The JSON of the mapping.
    /// - Throws: ``ImportError``.
    init(_ columns: [UInt8]?) throws {
        given = try columns.map { bytes in try Self.readable { try ColumnMappingReader.read(bytes) } }
    }

    private static func readable<Result>(_ body: () throws -> Result) throws -> Result {
        do {
            return try body()
        } catch let error as ColumnMappingError {
            throw ImportError(.unreadable, "The column mapping can’t be used: \(error.description).")
        }
    }

    func prepare(_ files: [CandidateFile]) throws {
        guard given == nil else { return }
        for file in files where file.hasEnding(".json") && file.text.contains(ColumnMappingReader.format) {
            guard file.file.size <= ColumnMappingReader.maximumSize, let bytes = try? file.file.contents(),
                ColumnMappingReader.isMapping(bytes)
            else { continue }
            mappings[file.name] = try Self.readable { try ColumnMappingReader.read(bytes) }
        }
    }

    /// Recognizes a file of JSON whose objects or elements are the rows of a mapping.
    private static func json(_ file: CandidateFile, _ mapping: ColumnMapping) -> Recognition? {
        guard mapping.isJSON, mapping.isFor(file.name), mapping.fits(file) else { return nil }
        return JSONTables(mappings: [mapping], file: file.file).recognition
    }

    func recognize(_ file: CandidateFile) throws -> Recognition? {
        if let given {
            if let json = Self.json(file, given) { return json }
            let table = TableFile(given, file.file.pieces)
            guard file.isAlone || file.hasEnding(".csv", ".tsv"), given.isFor(file.name) else {
                return .leftOut("isn’t a file for the column mapping, which was given for all files")
            }
            do {
                try table.check()
            } catch let error as ColumnMappingError {
                return .leftOut("can’t be read by the column mapping: \(error.description)", .unreadable)
            }
            return table.recognition
        }
        if mappings[file.name] != nil { return .isPart }
        // Any document has the members of a mapping that requires none, so it must say which files it is for.
        if let json = mappings.values.lazy.filter({ !$0.files.isEmpty }).compactMap({ Self.json(file, $0) }).first {
            return json
        }
        guard file.hasEnding(".csv", ".tsv") else { return nil }
        return mappings.values.lazy.filter { $0.isFor(file.name) }.map { TableFile($0, file.file.pieces) }
            .first { (try? $0.check()) != nil }?.recognition
    }
}

/// A service whose tables are recognized by their columns: a reader that is no more than a list of mappings.
protocol TableService: FileReader {
    static var mappings: [ColumnMapping] { get }
    /// The mappings of tables that may follow each other in one file.
    static var sections: [ColumnMapping] { get }
}

extension TableService {
    /// A mapping that can't be read is a mistake of this source.
    static func read(_ text: String) -> [ColumnMapping] {
        do {
            return try ColumnMappingReader.readAll(text)
        } catch {
            preconditionFailure("A ready mapping is invalid: \(error)")
        }
    }

    static var sections: [ColumnMapping] { [] }

    func recognize(_ file: CandidateFile) -> Recognition? { recognizeTable(file) }

    /// - Parameter deviceNames: The names of devices, by what a column has.
    func recognizeTable(_ file: CandidateFile, deviceNames: [String: String] = [:]) -> Recognition? {
        Self.recognize(file, Self.mappings, deviceNames: deviceNames)
    }

    /// Recognizes a file by the columns of some mappings.
    static func recognize(
        _ file: CandidateFile, _ mappings: @autoclosure () -> [ColumnMapping], deviceNames: [String: String] = [:]
    ) -> Recognition? {
        // Mappings are read from JSON when a file may be theirs.
        guard !file.rows.isEmpty || ["{", "["].contains(file.text.first) else { return nil }
        let mappings = mappings()
        var (possible, line) = (mappings.filter { $0.fits(file) }, Int?.none)
        if possible.isEmpty {
            // The names of columns may come after lines about the person or the file.
            let tables = mappings.filter { !$0.isJSON }
            for row in file.rows where possible.isEmpty {
                (possible, line) = (Self.fitting(row.fields, tables), row.line)
            }
        }
        // Without a name, columns that only one file of the service has are enough.
        if var mapping = possible.first(where: { $0.isFor(file.name) })
            ?? (file.isAlone && possible.count == 1 ? possible[0] : nil)
        {
            if mapping.isJSON {
                let all = mapping.files.isEmpty ? mappings.filter { $0.isJSON && $0.files.isEmpty } : [mapping]
                return JSONTables(mappings: all, file: file.file).recognition
            }
            if let line { mapping.headerLine = line }
            mapping.deviceNames = deviceNames
            let name = file.name.split(separator: "/").last
            return TableFile(mapping, sections: sections, name: name, file.file.pieces).recognition
        }
        guard file.isAlone, let example = possible.lazy.compactMap(\.files.first).first else { return nil }
        return .ambiguous(
            "has columns that several files of \(Self.format.name) have, which differ in their names. Give it its own name, such as \(example.replacing("*", with: "hr")), or import the zip file or folder that it comes from. For a CSV file of something else, say what its columns are in a mapping, with --columns"
        )
    }

    /// The mappings whose columns a table has.
    static func fitting(_ header: [String], _ mappings: [ColumnMapping]) -> [ColumnMapping] {
        guard header.count > 1 else { return [] }
        let places = ColumnTable.places(header)
        return mappings.filter {
            ColumnTable.hasRequired($0, places, header.count) && (try? ColumnTable($0, header: header)) != nil
        }
    }
}

extension TableFile {
    /// Totals come last, so that it is known of which days there is more.
    var recognition: Recognition {
        .reads(mapping.isTotals ? .total : .exact, type: "CSV") { try read($0, $1) }
    }
}
