import HealthFiles

/// Reads tables by a mapping that a person has written: the one given to the import, or those among its files.
final class ColumnMappingFiles: FileReader {
    static let format = FileFormat(
        name: "CSV", title: "[any other CSV file](#any-csv-file)", files: "by a mapping of its columns",
        exampleNames: [])

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

    func recognize(_ file: CandidateFile) throws -> Recognition? {
        if let given {
            let table = TableFile(given, file.file)
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
        guard file.hasEnding(".csv", ".tsv") else { return nil }
        return mappings.values.lazy.filter { $0.isFor(file.name) }.map { TableFile($0, file.file) }
            .first { (try? $0.check()) != nil }?.recognition
    }
}

/// A service whose tables are recognized by their columns: a reader that is no more than a list of mappings.
protocol TableService: FileReader {
    static var mappings: [ColumnMapping] { get }
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

    func recognize(_ file: CandidateFile) -> Recognition? { recognizeTable(file) }

    /// - Parameter deviceNames: The names of devices, by what a column has.
    func recognizeTable(_ file: CandidateFile, deviceNames: [String: String] = [:]) -> Recognition? {
        let fitting = Self.mappings.filter { $0.fits(file) }
        // Without a name, columns that only one file of the service has are enough.
        if var mapping = fitting.first(where: { $0.isFor(file.name) })
            ?? (file.isAlone && fitting.count == 1 ? fitting[0] : nil)
        {
            mapping.deviceNames = deviceNames
            return TableFile(mapping, file.file).recognition
        }
        guard file.isAlone, let example = fitting.lazy.compactMap(\.files.first).first else { return nil }
        return .leftOut(
            "has columns that several files of \(Self.format.name) have, which differ in their names. Give it its own name, such as \(example.replacing("*", with: "hr")), or import the zip file or folder that it comes from. For a CSV file of something else, say what its columns are in a mapping, with --columns"
        )
    }
}

extension TableFile {
    /// Totals come last, so that it is known of which days there is more.
    var recognition: Recognition {
        .reads(isTotals ? .total : .exact, type: mapping.rows != nil && mapping.cell == nil ? "JSON" : "CSV") {
            try read($0, $1)
        }
    }
}
