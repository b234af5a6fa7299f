import HealthModel

/// The tables and documents beside the files of devices, alone or in the archive of a service.
struct ServiceArchive {
    /// What was found in an archive.
    struct Contents {
        var tables: [(name: String, table: TableFile)] = []
        var lists: [(name: String, list: StravaList)] = []
        /// How many files were left out, by what they are.
        var leftOut: [String: Int] = [:]
    }

    private var candidates: [InputFile] = []
    private var documents: [String: Int] = [:]
    /// Mappings among the files.
    private var mappings: [ColumnMapping] = []
    /// Whether there is only one file, whose name may be lost.
    private let isLone: Bool
    /// The mapping that was given, which all tables must have.
    private let given: ColumnMapping?

    /// - Parameters:
    ///   - columns: The JSON of a mapping.
    ///   - isLone: Whether there is only one file, whose name may be lost.
    /// - Throws: ``ColumnMappingError``.
    init(columns: [UInt8]?, isLone: Bool) throws {
        self.isLone = isLone
        given = try columns.map { try ColumnMappingReader.read($0) }
    }

    /// Whether a file may be a table or document by its name.
    static func isCandidate(_ file: InputFile) -> Bool {
        [".csv", ".tsv", ".json"].contains { file.plainName.hasSuffix($0) }
    }

    /// Takes note of a file.
    ///
    /// - Throws: ``ColumnMappingError`` for a mapping that can't be used.
    mutating func add(_ file: InputFile) throws {
        let isDocument =
            file.name.lowercased().hasSuffix(".json")
            || isLone && file.head(64)?.first { $0 > 0x20 && $0 < 0x80 } == UInt8(ascii: "{")
        guard isDocument else { return candidates.append(file) }
        if let title = GarminExport.title(of: file.name) { return documents[title, default: 0] += 1 }
        guard given == nil, file.size <= ColumnMappingReader.maximumSize, let source = try? file.pieces() else {
            return
        }
        var bytes: [UInt8] = []
        while let piece = try? source(), !piece.isEmpty, bytes.count <= ColumnMappingReader.maximumSize {
            bytes += piece
        }
        guard ColumnMappingReader.isMapping(bytes) else { return }
        mappings.append(try ColumnMappingReader.read(bytes))
    }

    /// Whether a person's own mapping is for a file.
    func isMapped(_ file: InputFile) -> Bool { given != nil || ownMapping(for: file) != nil }

    /// What the files are. Totals come last, so that it is known of which days there is more.
    ///
    /// - Throws: ``ColumnMappingError`` if the given mapping is for none of them.
    func contents() throws -> Contents {
        var contents = Contents(leftOut: documents)
        var (unknown, problem) = (0, ColumnMappingError("there is no CSV file at the path"))
        for file in candidates.sorted(by: { $0.name < $1.name }) {
            let name = file.name
            if let given {
                guard given.isFor(name) else { continue }
                let table = TableFile(given, file.pieces)
                do {
                    try table.check()
                    contents.tables.append((name, table))
                } catch let error as ColumnMappingError {
                    let last = name.split(separator: "/").last ?? ""
                    problem = ColumnMappingError("“\(last)” is not a file for it: \(error.description)")
                }
            } else if let mapping = mapping(for: file) {
                contents.tables.append((name, TableFile(mapping, file.pieces)))
            } else if let list = (try? StravaList(file.pieces)) ?? nil {
                contents.lists.append((name, list))
            } else {
                unknown += 1
            }
        }
        if given != nil, contents.tables.isEmpty { throw problem }
        if unknown > 0, !contents.tables.isEmpty || !contents.lists.isEmpty {
            contents.leftOut["CSV file of something else"] = unknown
        }
        contents.tables = contents.tables.filter { !$0.table.isTotals } + contents.tables.filter { $0.table.isTotals }
        return contents
    }

    private func ownMapping(for file: InputFile) -> ColumnMapping? {
        mappings.first { $0.isFor(file.name) && (try? TableFile($0, file.pieces).check()) != nil }
    }

    private func mapping(for file: InputFile) -> ColumnMapping? {
        ownMapping(for: file)
            ?? TableFile.header(file.pieces).flatMap {
                BuiltInMappings.mapping(for: file.name, header: $0, isLone: isLone)
            }
    }
}
