import HealthFiles

/// The auxiliary files in a zip file, found through its central directory while the main file streams.
///
/// A path is looked up as it is, below the main file's folder; then ignoring case; then below any other folder (the
/// contents of one zip file may have been packed into another); and last without the letters that a wrong code page
/// damages. The last three lookups succeed only if exactly one file matches.
final class ZipAuxiliaryFiles: AuxiliaryFiles {
    private let zip: ZipReader
    /// The main file's folder with a trailing slash; empty at the top of the zip file.
    private let root: String
    /// Entries by path below the root.
    private var exact: [String: ZipEntry] = [:]
    private var byFoldedPath: [String: [ZipEntry]] = [:]
    /// Entries in any folder, by the folded names of their last folder and of the file.
    private var byFoldedTail: [String: [ZipEntry]] = [:]
    private var bySkeleton: [String: [ZipEntry]] = [:]

    init(_ zip: ZipReader, beside main: ZipEntry) {
        self.zip = zip
        root = main.name.lastIndex(of: "/").map { String(main.name[...$0]) } ?? ""
        for entry in zip.entries where entry != main {
            let parts = entry.name.split(separator: "/")
            // macOS adds files in __MACOSX or names them `._…`.
            guard let name = parts.last, !parts.contains("__MACOSX"), !name.hasPrefix("._") else { continue }
            if entry.name.hasPrefix(root) {
                let path = entry.name.dropFirst(root.count).split(separator: "/").joined(separator: "/")
                // The first of two entries with the same name is used.
                if exact[path] == nil { exact[path] = entry }
                byFoldedPath[AuxiliaryPath.folded(path), default: []].append(entry)
            }
            let tail = parts.suffix(2).joined(separator: "/")
            byFoldedTail[AuxiliaryPath.folded(tail), default: []].append(entry)
            bySkeleton[AuxiliaryPath.skeleton(tail), default: []].append(entry)
        }
    }

    func paths(inFolder name: String) -> [String] {
        let folded = AuxiliaryPath.folded(name) + "/"
        let below = exact.keys.filter { AuxiliaryPath.folded($0).hasPrefix(folded) }
        if !below.isEmpty { return below.sorted().map { "/" + $0 } }
        let elsewhere = byFoldedTail.filter { $0.key.hasPrefix(folded) }.values.compactMap(\.first)
        return elsewhere.compactMap { entry in
            entry.name.split(separator: "/").last.map { "/\(name)/\($0)" }
        }.sorted()
    }

    func source(of path: String, limit: Int) throws(AuxiliaryFileError) -> any ByteSource {
        let parts = try AuxiliaryPath(path).parts
        let path = parts.joined(separator: "/")
        let tail = parts.suffix(2).joined(separator: "/")
        var entry =
            exact[path] ?? only(byFoldedPath[AuxiliaryPath.folded(path)])
            ?? only(byFoldedTail[AuxiliaryPath.folded(tail)])
        if entry == nil, AuxiliaryPath.isIdentified(bySkeletonOf: parts[parts.count - 1]) {
            entry = only(bySkeleton[AuxiliaryPath.skeleton(tail)])
        }
        guard let entry else { throw .missing }
        let stream = try AuxiliaryFileError.explained { try zip.stream(of: entry) }
        return try LimitedByteSource(stream, limit: limit)
    }

    private func only(_ entries: [ZipEntry]?) -> ZipEntry? {
        entries?.count == 1 ? entries?.first : nil
    }
}
