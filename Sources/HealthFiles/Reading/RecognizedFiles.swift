/// The files of an import that are read, each by the reader that recognizes it, in their order.
struct RecognizedFiles {
    /// A file that is read.
    struct File {
        let candidate: CandidateFile
        /// The place of its reader.
        let reader: Int
        let stage: ReadingStage
        /// The kind of the file, as a report has it.
        let type: String
        /// Whether it is handed on as a whole, with recordings that other files may have.
        let hasRecordings: Bool
        let read: Recognition.Read
    }

    let readers: [any FileReader]
    private(set) var files: [File] = []
    private(set) var unread: UnreadFileList
    /// Why a lone file isn't read.
    private(set) var refusal: ImportError?

    /// Asks each reader about each file. The first that recognizes a file reads it.
    ///
    /// - Parameter maximumCount: The number of files that are read.
    init(_ search: FileSearch, readers: [any FileReader], maximumCount: Int = 100_000) throws {
        (self.readers, unread) = (readers, search.unread)
        for reader in readers { try reader.prepare(search.files) }
        for file in search.files {
            guard let (place, recognition) = try recognize(file) else {
                leaveOutUnknown(file)
                continue
            }
            add(file, recognition, of: place)
        }
        files.sort { ($0.stage, $0.reader, $0.candidate.name) < ($1.stage, $1.reader, $1.candidate.name) }
        var known = FileCopies()
        files = files.filter { entry in
            guard known.isCopy(entry.candidate.file) else { return true }
            unread.add(entry.candidate.name, "has the same contents as another file")
            return false
        }
        for file in files.dropFirst(maximumCount) {
            unread.add(file.candidate.name, "is beyond the first \(maximumCount) files, which are read")
        }
        files = Array(files.prefix(maximumCount))
    }

    private func recognize(_ file: CandidateFile) throws -> (reader: Int, recognition: Recognition)? {
        var ambiguous: (reader: Int, recognition: Recognition)?
        for (place, reader) in readers.enumerated() {
            guard let recognition = try reader.recognize(file) else { continue }
            guard case .ambiguous = recognition else { return (place, recognition) }
            ambiguous = ambiguous ?? (place, recognition)
        }
        return ambiguous
    }

    private mutating func add(_ file: CandidateFile, _ recognition: Recognition, of reader: Int) {
        let name = type(of: readers[reader]).format.name
        func append(_ stage: ReadingStage, _ type: String?, hasRecordings: Bool, _ read: @escaping Recognition.Read) {
            files.append(
                File(
                    candidate: file, reader: reader, stage: stage, type: type ?? name, hasRecordings: hasRecordings,
                    read: read))
        }
        switch recognition {
        case .reads(let stage, let type, let read): append(stage, type, hasRecordings: false, read)
        case .readsRecordings(let type, let read): append(.exact, type, hasRecordings: true, read)
        case .leftOut(let reason, let kind): leaveOut(file, reason, kind)
        case .ambiguous(let reason): leaveOut(file, reason, .partOfArchive)
        case .isPart: break
        }
    }

    private mutating func leaveOut(_ file: CandidateFile, _ reason: String, _ kind: ImportError.Kind) {
        unread.add(file.name, reason)
        if file.isAlone { refusal = ImportError(kind, "“\(file.name)” \(reason).") }
    }

    /// Takes note of a file that no reader knows.
    private mutating func leaveOutUnknown(_ file: CandidateFile) {
        guard !file.head.isEmpty else { return unread.add(file.name, "is empty or can’t be read") }
        if file.hasEnding(".csv", ".tsv") {
            leaveOut(
                file,
                "is a CSV file whose columns are unknown. Say what they are in a mapping, with --columns; --propose prints one",
                .notAnExport)
        } else if file.plainName.hasSuffix("xl/workbook.xml") {
            unread.add(file.name, "belongs to an Excel file. Choose JSON or CSV for the export, or save it as CSV")
        } else if file.hasEnding(".json") || ["{", "["].contains(file.text.first) {
            leaveOut(
                file,
                "is a JSON file that isn’t known. Import the zip file or folder that the service has handed out, as a whole",
                .partOfArchive)
        } else {
            unread.add(file.name, "isn’t in a known format")
        }
    }

    /// An error that names files that aren't read.
    func failure(_ path: String) -> ImportError {
        refusal ?? ImportError(.noExportInside, "“\(path)” contains nothing that can be imported: \(unread.summary).")
    }
}
