import Foundation

extension ArchiveGenerator {
    /// Writes the archive to `path`: a bare XML file where the name ends in `.xml`, an `export.zip`
    /// where it ends in `.zip`, else a folder `apple_health_export` below `path`.
    ///
    /// Returns how many `Record` elements there are.
    /// - Throws: errors of the file system.
    @discardableResult
    public func write(toPath path: String) throws -> Int {
        let url = URL(fileURLWithPath: path)
        switch url.pathExtension.lowercased() {
        case "xml":
            return try writeFile(url)
        case "zip":
            return try writeZip(url)
        default:
            let folder = url.appendingPathComponent("apple_health_export", isDirectory: true)
            try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
            return try writeFile(folder.appendingPathComponent("export.xml"))
        }
    }

    private func writeFile(_ url: URL) throws -> Int {
        guard FileManager.default.createFile(atPath: url.path, contents: nil) else {
            throw CocoaError(.fileWriteUnknown, userInfo: [NSFilePathErrorKey: url.path])
        }
        let handle = try FileHandle(forWritingTo: url)
        defer { try? handle.close() }
        return try writeXML { try handle.write(contentsOf: Data($0)) }
    }
}
