/// Companion files, with a list of those that have been opened.
final class CountedCompanions: CompanionFiles {
    private let files: any CompanionFiles
    private var opened: Set<String> = []

    /// The folders an archive keeps companion files in.
    static let folders = ["workout-routes", "electrocardiograms", "clinical-records", "attachments"]

    init(_ files: any CompanionFiles) {
        self.files = files
    }

    func paths(inFolder name: String) -> [String] {
        files.paths(inFolder: name)
    }

    func source(of path: String, limit: Int) throws(CompanionError) -> any ByteSource {
        let source = try files.source(of: path, limit: limit)
        opened.insert(path)
        return source
    }

    /// How many files there are in each folder that has any, and how many of them were read.
    var counts: [String: ImportReport.Companions] {
        var counts: [String: ImportReport.Companions] = [:]
        for folder in Self.folders {
            let found = paths(inFolder: folder).count
            let read = opened.count(where: { $0.hasPrefix("/\(folder)/") || $0.hasPrefix("\(folder)/") })
            if found > 0 || read > 0 { counts[folder] = ImportReport.Companions(found: max(found, read), read: read) }
        }
        return counts
    }
}
