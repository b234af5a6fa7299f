import Foundation

extension ArchiveGenerator {
    /// Writes the archive to `path`: a bare XML file where the name ends in `.xml`, an `export.zip`
    /// where it ends in `.zip`, else a folder `apple_health_export` below `path`.
    ///
    /// Returns how many `Record` elements there are.
    /// - Throws: errors of the file system.
    @discardableResult
    public func write(toPath path: String) throws -> Int {
        try make(atPath: path).records
    }

    /// Writes the archive as ``write(toPath:)`` does and returns what is in it. A bare XML file has none
    /// of what the files beside it would hold, so those are not in its tally.
    ///
    /// - Throws: errors of the file system.
    public func make(atPath path: String) throws -> GeneratedArchive {
        let url = URL(fileURLWithPath: path)
        switch url.pathExtension.lowercased() {
        case "xml":
            return try write(to: GeneratorFileOutput(url))
        case "zip":
            return try write(to: GeneratorZipOutput(url))
        default:
            return try write(to: GeneratorFolderOutput(url.appendingPathComponent("apple_health_export", isDirectory: true)))
        }
    }
}
