import Foundation

/// What tells an archive, with all its files, from every other: made of a zip file's bytes, or of the
/// main file's and of what can be seen of the files beside it without opening them.
struct ArchiveFingerprint {
    private let archive: LocatedArchive
    private let path: String

    init(_ archive: LocatedArchive, path: String) {
        self.archive = archive
        self.path = path
    }

    /// The file whose bytes are digested; `nil` for an archive that is no file.
    private var file: FileByteSource? {
        switch archive.main {
        case let file as FileByteSource: file
        case is ZipEntryStream: try? FileByteSource(path: path)
        default: nil
        }
    }

    /// Whether an archive of this fingerprint may be the one at hand, as far as sizes tell.
    func isPossible(_ fingerprint: String) -> Bool {
        guard let size = file?.byteCount else { return false }
        return fingerprint.hasPrefix("\(size)-")
    }

    /// The fingerprint; reads the whole file. `nil` where there is none.
    func text() throws -> String? {
        guard let file else { return nil }
        return try text(digest: FileDigest.text(of: file))
    }

    /// The fingerprint where the file's digest is known.
    func text(digest: String) -> String? {
        guard let size = file?.byteCount else { return nil }
        return "\(size)-\(digest)-\(beside)"
    }

    /// A digest of the names, sizes and times of the files in a folder's companion folders, and of the
    /// supplement.
    private var beside: String {
        guard archive.main is FileByteSource else { return "zip" }
        var digest = ByteDigest()
        let folder = URL(fileURLWithPath: archive.main.name).deletingLastPathComponent()
        let files = CountedCompanions.folders.flatMap { archive.companions.paths(inFolder: $0) }
        for file in files + ["/" + SupplementLine.fileName] {
            let attributes = try? FileManager.default.attributesOfItem(atPath: folder.path + file)
            let size = (attributes?[.size] as? Int) ?? -1
            let time = (attributes?[.modificationDate] as? Date)?.timeIntervalSinceReferenceDate ?? 0
            Array("\(file)\n\(size)\n\(time)\n".utf8).withUnsafeBytes { digest.update($0) }
        }
        return digest.text
    }
}
