package import HealthFiles

/// Reads an archive of Apple's Health app: its main file, and the files that belong to it.
package final class AppleArchiveReader: FileReader {
    package static let format = FileFormat(
        name: "Apple Health", title: "an [Apple Health export](Archive.md)",
        files: "`export.zip`, its unzipped folder, or the XML file under any name", exampleNames: ["export.xml"],
        isComplete: true)

    private let options: ArchiveOptions
    private var main: CandidateFile?
    /// The folder of the main file.
    private var folder = ""
    /// The names of other exports.
    private var others: Set<String> = []

    /// The number of files without an XML extension that are tried.
    private static let unlikelyFilesTried = 64

    package init(_ options: ArchiveOptions = .init()) {
        self.options = options
    }

    package var mirrors: Bool { options.mirrors }

    /// Finds the main file, whose name is localized: one at a higher level wins, because one further down may be a
    /// backup, then the larger one.
    package func prepare(_ files: [CandidateFile]) {
        func isLikely(_ file: CandidateFile) -> Bool { ArchiveLocator.isCandidate(file.lastName) }
        let unlikely = files.filter { !isLikely($0) && !ArchiveLocator.isAuxiliaryFile($0.lastName) }
        let found = (files.filter(isLikely) + unlikely.prefix(Self.unlikelyFilesTried)).filter {
            ExportSignature.matches($0.head)
        }
        func rank(_ file: CandidateFile) -> (Int, Int, String) {
            (file.name.split(separator: "/").count, -file.file.size, file.name)
        }
        main = found.min { rank($0) < rank($1) }
        guard let main else { return }
        folder = main.name.lastIndex(of: "/").map { String(main.name[...$0]) } ?? ""
        others = Set(found.map(\.name)).subtracting([main.name])
    }

    package func recognize(_ file: CandidateFile) -> Recognition? {
        if file === main {
            guard file.file.path != nil || file.file.zipEntry != nil else {
                return .leftOut(
                    "is an Apple Health export in a tar archive. Unpack it with tar -xf, and import the folder")
            }
            return .reads(.first) { context, _ in try self.read(file, context) }
        }
        if others.contains(file.name) { return .leftOut("is another Apple Health export. Import it by itself") }
        let isAuxiliary =
            ["export_cda.xml", SupplementLine.fileName].contains(file.lastName)
            || file.name.split(separator: "/").dropLast().last
                .map { CountedAuxiliaryFiles.folders.contains(String($0)) } ?? false
        guard isAuxiliary else { return nil }
        if main != nil, file.name.hasPrefix(folder) { return .isPart }
        // A route by itself is a track like any other.
        guard !file.isAlone, file.name.contains("workout-routes/") else { return nil }
        return .leftOut("is a route of an Apple Health export. Import the zip file or the folder of the export")
    }

    private func read(_ file: CandidateFile, _ context: ImportContext) throws {
        let growth: ZipGrowth = context.options.trustsSize ? .unbounded : .bounded
        let path = file.file.zipEntry?.zip.name ?? file.file.path ?? file.name
        let importer = ArchiveImporter(
            engine: context.engine, options: context.options, archive: options, isInterrupted: context.isInterrupted)
        try importer.read(Self.archive(of: file, growth), path: path, context.progress, &context.report)
    }

    /// The main file with the files beside it.
    private static func archive(of file: CandidateFile, _ growth: ZipGrowth) throws -> LocatedArchive {
        guard let (entry, zip) = file.file.zipEntry else {
            return try ArchiveLocator.open(file.file.path ?? file.name, growth: growth)
        }
        return LocatedArchive(
            main: try zip.stream(of: entry, growth: growth), auxiliaryFiles: ZipAuxiliaryFiles(zip, beside: entry),
            damage: zip.damage, reopen: { try zip.stream(of: entry, growth: growth) })
    }
}
