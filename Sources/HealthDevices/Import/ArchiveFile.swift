import AppleHealthExport
import Foundation

/// A file of an archive that is read together with others, when it is its turn.
struct ArchiveFile {
    /// What a file contains.
    enum Kind: Hashable {
        case google(GoogleFile)
        case healthConnect
    }

    let name: String
    let kind: Kind
    /// The path of a file that isn't in a zip file.
    let path: String?
    let open: () throws -> DeviceBytes

    /// Larger files of a zip file are checked as a whole before they are read, because they are stored in parts.
    private static let largestUnchecked = 1 << 25

    /// - Parameter head: The first bytes; `nil` to recognize the file by its name.
    init?(path: String, name: String, head: [UInt8]?) {
        if let head, HealthConnectReader.matches(head) {
            kind = .healthConnect
        } else if let file = GoogleFile(path: path) {
            kind = .google(file)
        } else {
            return nil
        }
        self.name = name
        self.path = path
        open = {
            do {
                return try DeviceBytes(FileByteSource(path: path))
            } catch {
                throw DeviceFileError("it can’t be read")
            }
        }
    }

    init?(_ entry: ZipEntry, in zip: ZipReader) {
        if entry.name.lowercased().hasSuffix(".db") {
            guard let head = try? zip.stream(of: entry).head(HealthConnectReader.headLength),
                HealthConnectReader.matches(head)
            else { return nil }
            kind = .healthConnect
        } else if let file = GoogleFile(path: entry.name) {
            kind = .google(file)
        } else {
            return nil
        }
        name = entry.name
        path = nil
        open = {
            let stream = try zip.stream(of: entry)
            if entry.size > Self.largestUnchecked { try stream.verification { false } }
            return DeviceBytes(stream)
        }
    }

    /// Whether at least one of some files is what its name says: others may have such names.
    static func isArchive(_ files: [ArchiveFile]) -> Bool {
        files.lazy.filter { file in
            switch file.kind {
            case .healthConnect: true
            case .google(let kind): kind.isEvidence
            }
        }.prefix(100).contains { file in
            guard case .google(let kind) = file.kind else { return true }
            var head = [UInt8](repeating: 0, count: DeviceFormat.headLength)
            let count = (try? head.withUnsafeMutableBytes { try file.open().read(into: $0) }) ?? 0
            return kind.matches(head: head[..<count])
        }
    }
}
