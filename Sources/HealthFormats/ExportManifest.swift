import Foundation

/// The list of the files of an exported folder, kept in it: only these may be removed when the folder is replaced.
struct ExportManifest: Codable {
    /// The name of the manifest's file. It is hidden, so that programs that read all files of a folder don't read it.
    static let name = ".openhealthkit-export"

    /// The sizes of the files by their path in the folder. A file with another size was changed since.
    private var files: [String: Int64]

    /// Lists the files of a folder.
    init(of folder: String) {
        files = Dictionary(
            uniqueKeysWithValues: Self.contents(of: folder).compactMap { file in
                file.size.map { (file.path, $0) }
            })
    }

    func write(to folder: String) throws(TargetError) {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes, .prettyPrinted]
        do {
            try encoder.encode(self).write(to: URL(fileURLWithPath: "\(folder)/\(Self.name)"))
        } catch {
            throw .writing("\(folder)/\(Self.name)", errno: (error as NSError).underlyingCode)
        }
    }

    static func isEmpty(_ folder: String) -> Bool {
        (try? FileManager.default.contentsOfDirectory(atPath: folder))?.isEmpty ?? false
    }

    /// The paths in a folder that no export wrote, or that were changed since, sorted.
    static func foreignContents(of folder: String) -> [String] {
        let data = FileManager.default.contents(atPath: "\(folder)/\(name)")
        let manifest = data.flatMap { try? JSONDecoder().decode(Self.self, from: $0) }
        let files = manifest?.files ?? [:]
        let folders = Set(files.keys.flatMap { path in path.indices.filter { path[$0] == "/" }.map { path[..<$0] } })
        return contents(of: folder) { folders.contains(Substring($0)) }.filter { file in
            file.path == name ? manifest == nil : file.size == nil || files[file.path] != file.size
        }.map(\.path).sorted()
    }

    /// The files below a folder with their sizes, and whatever else is there with none.
    ///
    /// - Parameter isEntered: Whether a folder, of this path, is looked into rather than listed itself.
    private static func contents(
        of folder: String, in path: String = "", isEntered: (String) -> Bool = { _ in true }
    ) -> [(path: String, size: Int64?)] {
        guard let names = try? FileManager.default.contentsOfDirectory(atPath: folder) else { return [(path, nil)] }
        return names.flatMap { name -> [(path: String, size: Int64?)] in
            var status = stat()
            let (inner, place) = (path + name, "\(folder)/\(name)")
            guard lstat(place, &status) == 0 else { return [(inner, nil)] }
            switch status.st_mode & S_IFMT {
            case S_IFREG: return [(inner, Int64(status.st_size))]
            case S_IFDIR where isEntered(inner): return contents(of: place, in: inner + "/", isEntered: isEntered)
            default: return [(inner, nil)]
            }
        }
    }
}

extension NSError {
    /// The system's error code below a file error.
    fileprivate var underlyingCode: Int32 {
        (userInfo[NSUnderlyingErrorKey] as? NSError).map { Int32($0.code) } ?? EIO
    }
}
