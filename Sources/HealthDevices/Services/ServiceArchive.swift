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

    private var candidates: [(name: String, open: TableFile.Opening)] = []
    private var documents: [String: Int] = [:]
    /// Mappings among the files.
    private var mappings: [ColumnMapping] = []
    /// The mapping that was given, which all tables must have.
    private let given: ColumnMapping?

    /// - Parameter columns: The JSON of a mapping.
    /// - Throws: ``ColumnMappingError``.
    init(columns: [UInt8]?) throws {
        given = try columns.map { try ColumnMappingReader.read($0) }
    }

    /// Whether a file of this name may be a table or document.
    static func isCandidate(_ name: String) -> Bool {
        let name = name.lowercased()
        let plain = name.hasSuffix(".gz") ? name.dropLast(3) : Substring(name)
        return [".csv", ".tsv", ".json"].contains { plain.hasSuffix($0) }
    }

    /// Takes note of a file.
    ///
    /// - Throws: ``ColumnMappingError`` for a mapping that can't be used.
    mutating func add(_ name: String, size: Int, _ open: @escaping TableFile.Opening) throws {
        guard name.lowercased().hasSuffix(".json") else { return candidates.append((name, open)) }
        if let title = GarminExport.title(of: name) { return documents[title, default: 0] += 1 }
        guard given == nil, size <= ColumnMappingReader.maximumSize, let source = try? open() else { return }
        var bytes: [UInt8] = []
        while let piece = try? source(), !piece.isEmpty, bytes.count <= ColumnMappingReader.maximumSize {
            bytes += piece
        }
        guard ColumnMappingReader.isMapping(bytes) else { return }
        mappings.append(try ColumnMappingReader.read(bytes))
    }

    /// What the files are. Totals come last, so that it is known of which days there is more.
    ///
    /// - Throws: ``ColumnMappingError`` if the given mapping is for none of them.
    func contents() throws -> Contents {
        var contents = Contents(leftOut: documents)
        var (unknown, problem) = (0, ColumnMappingError("there is no CSV file at the path"))
        for (name, open) in candidates.sorted(by: { $0.name < $1.name }) {
            if let given {
                guard given.isFor(name) else { continue }
                let table = TableFile(given, open)
                do {
                    try table.check()
                    contents.tables.append((name, table))
                } catch let error as ColumnMappingError {
                    let last = name.split(separator: "/").last ?? ""
                    problem = ColumnMappingError("“\(last)” is not a file for it: \(error.description)")
                }
            } else if let mapping = mapping(for: name, open) {
                contents.tables.append((name, TableFile(mapping, open)))
            } else if let list = (try? StravaList(open)) ?? nil {
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

    private func mapping(for name: String, _ open: @escaping TableFile.Opening) -> ColumnMapping? {
        let own = mappings.first { mapping in
            mapping.isFor(name) && (try? TableFile(mapping, open).check()) != nil
        }
        return own ?? TableFile.header(open).flatMap { ReadyMappings.mapping(for: name, header: $0) }
    }
}
