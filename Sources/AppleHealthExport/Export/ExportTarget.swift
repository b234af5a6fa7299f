/// Where an archive goes, and in which form.
public enum ExportTarget: Hashable, Sendable {
    /// A zip file as the telephone makes it: `apple_health_export/export.xml` first, then what belongs to it.
    case zip(path: String)
    /// A folder with what such a zip holds, under its own name.
    case folder(path: String)
    /// The main file alone.
    case xml(path: String)
    /// The main file alone, to standard output.
    case standardOutput

    /// The target a path stands for: `-`, a name ending in `.zip` or `.xml`, else a folder.
    public init(path: String) {
        let name = path.lowercased()
        if path == "-" {
            self = .standardOutput
        } else if name.hasSuffix(".zip") {
            self = .zip(path: path)
        } else if name.hasSuffix(".xml") {
            self = .xml(path: path)
        } else {
            self = .folder(path: path)
        }
    }

    /// The path, `-` for standard output.
    public var path: String {
        switch self {
        case .zip(let path), .folder(let path), .xml(let path): path
        case .standardOutput: "-"
        }
    }
}
