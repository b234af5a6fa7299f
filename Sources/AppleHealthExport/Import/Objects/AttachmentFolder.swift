import HealthModel

/// The files in an archive's `attachments` folder, found by the identifier an `Attachment` gives.
///
/// How Apple names these files was never seen. A file is taken whose name is the identifier, or the identifier
/// with an extension, or, if there is only one, begins with it; upper and lower case are the same.
struct AttachmentFolder {
    private struct File {
        var name: String
        var path: String
    }

    /// By name, in lower case.
    private let files: [File]

    init(paths: [String]) {
        files = paths.compactMap { path in
            Self.name(of: path).map { File(name: CompanionPath.folded($0), path: path) }
        }.sorted { ($0.name, $0.path) < ($1.name, $1.path) }
    }

    /// The path of the file; `nil` where there is none, or it is not clear which one is meant.
    func path(of identifier: String) -> String? {
        // Should the identifier be a path, its last part is the name.
        guard let wanted = Self.name(of: identifier).map({ CompanionPath.folded($0) }), !wanted.isEmpty else { return nil }
        var first = 0
        var end = files.count
        while first < end {
            let middle = (first + end) / 2
            if files[middle].name < wanted { first = middle + 1 } else { end = middle }
        }
        let candidates = files[first...].prefix { $0.name.hasPrefix(wanted) }
        return candidates.first { $0.name == wanted }?.path
            ?? candidates.first { $0.name.hasPrefix(wanted + ".") }?.path
            ?? (candidates.count == 1 ? candidates.first?.path : nil)
    }

    private static func name(of path: String) -> String? {
        path.split { $0 == "/" || $0 == "\\" }.last.map(String.init)
    }
}
