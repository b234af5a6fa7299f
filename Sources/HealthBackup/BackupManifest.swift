import Crypto
package import Foundation

/// The contents of a backup: the store's file and its auxiliary files, in chunks of 64 KiB.
///
/// It is a text file of lines, the last of which is the SHA-256 of the others. Docs/Format/Backup.md has an example.
package struct BackupManifest: Hashable, Sendable {
    /// A file of the store.
    package struct File: Hashable, Sendable {
        /// The suffix of the file's path after the store's; empty for the store itself.
        package var suffix: String
        /// The length in bytes.
        package var size: Int
        /// The SHA-256 of each chunk, in hexadecimal digits. All but the last have 64 KiB.
        package var chunks: [String]
    }

    /// The backup's name, which is its date in UTC: `2025-11-16T170000Z`. Later backups have greater names.
    package var name: String
    /// When the backup was made.
    package var created: Date
    /// The store's identity.
    package var store: UUID
    /// The last sequence number in the store, which every anchor of the time is up to.
    package var sequence: Int64
    /// The store's file, and those beside it.
    package var files: [File]

    /// The bytes of all files.
    package var size: Int { files.reduce(0) { $0 + $1.size } }

    static let chunkSize = 65_536
    static let suffix = ".backup"
    private static let heading = "OpenHealthKit backup"
    private static let version = 1
}

/// Writing a manifest and reading it.
extension BackupManifest {
    /// The manifest's bytes.
    var text: String {
        var lines = [
            "\(Self.heading) \(Self.version)", "created \(created.ISO8601Format())", "store \(store.uuidString)",
            "sequence \(sequence)",
        ]
        for file in files {
            lines.append("file \(file.size) \(file.suffix)")
            lines += file.chunks
        }
        let text = lines.joined(separator: "\n") + "\n"
        return text + "sha256 \(Self.hash(Data(text.utf8)))\n"
    }

    /// Reads a manifest.
    ///
    /// - Throws: ``BackupError`` if a byte of it has changed or a newer version wrote it.
    init(name: String, text: String) throws {
        func failure(_ reason: String) -> BackupError { BackupError(.damaged, "The backup \(name) \(reason).") }
        let damaged = failure("is damaged: its list of chunks isn’t what was written")
        guard let first = text.split(separator: "\n", maxSplits: 1).first, first.hasPrefix(Self.heading + " "),
            let version = Int(first.dropFirst(Self.heading.count + 1))
        else { throw damaged }
        guard version == Self.version else { throw failure("was written by a newer version") }
        guard let end = text.range(of: "sha256 ", options: .backwards),
            text[end.upperBound...] == Self.hash(Data(text[..<end.lowerBound].utf8)) + "\n"
        else { throw damaged }
        let lines = text[..<end.lowerBound].split(separator: "\n")
        func field(_ index: Int, _ key: String) throws -> String {
            guard index < lines.count, lines[index].hasPrefix(key + " ") else { throw damaged }
            return String(lines[index].dropFirst(key.count + 1))
        }
        guard let created = try? Date(field(1, "created"), strategy: .iso8601),
            let store = try UUID(uuidString: field(2, "store")),
            let sequence = try Int64(field(3, "sequence")), sequence >= 0
        else { throw damaged }
        (self.name, self.created, self.store, self.sequence) = (name, created, store, sequence)
        files = []
        var index = 4
        while index < lines.count {
            let parts = try field(index, "file").split(separator: " ", maxSplits: 1, omittingEmptySubsequences: false)
            guard parts.count == 2, let size = Int(parts[0]), size >= 0 else { throw damaged }
            let suffix = String(parts[1])
            // A path that leaves the store's folder can't have been written.
            guard suffix.isEmpty || StoreAuxiliaryFiles.isSuffix(suffix) else { throw damaged }
            let count = size / Self.chunkSize + (size % Self.chunkSize == 0 ? 0 : 1)
            guard lines.count - index - 1 >= count else { throw damaged }
            let chunks = lines[(index + 1)..<(index + 1 + count)].map(String.init)
            guard chunks.allSatisfy(Self.isHash) else { throw damaged }
            files.append(File(suffix: suffix, size: size, chunks: chunks))
            index += 1 + count
        }
        guard files.first?.suffix == "" else { throw damaged }
    }

    /// The SHA-256 of bytes, in hexadecimal digits.
    static func hash(_ bytes: Data) -> String {
        let digits = Array("0123456789abcdef".utf8)
        return String(
            decoding: SHA256.hash(data: bytes).flatMap { [digits[Int($0 >> 4)], digits[Int($0 & 15)]] }, as: UTF8.self)
    }

    static func isHash(_ text: some StringProtocol) -> Bool {
        text.utf8.count == 64 && text.utf8.allSatisfy { (48...57).contains($0) || (97...102).contains($0) }
    }

    /// The name of a backup made at an instant.
    static func name(at instant: Date) -> String {
        instant.ISO8601Format().replacingOccurrences(of: ":", with: "")
    }

    /// The instant that a name states.
    static func instant(of name: String) -> Date? {
        guard name.count == 18, let separator = name.firstIndex(of: "T"), name[separator...].count == 8 else {
            return nil
        }
        var time = Array(name[separator...])
        time.insert(":", at: 5)
        time.insert(":", at: 3)
        return try? Date(name[..<separator] + String(time), strategy: .iso8601)
    }
}

/// An error of a backup or of restoring one. The description contains paths and names of backups, never health data.
package struct BackupError: Error, Hashable, Sendable, CustomStringConvertible {
    /// The kind of error.
    package enum Kind: Hashable, Sendable {
        /// A file can't be read or written.
        case inputOutput
        /// The disk is full.
        case outOfSpace
        /// A chunk or a manifest isn't what was written.
        case damaged
        /// Another backup into the folder is running.
        case busy
        /// The folder has no backups, or none with the name.
        case notFound
        /// The folder or the store isn't one that this can be done with.
        case unsuitable
    }

    /// The kind of error.
    package var kind: Kind
    package var description: String

    init(_ kind: Kind, _ description: String) {
        self.kind = kind
        self.description = description
    }

    /// The failure of a system call, by `errno`.
    static func system(_ path: String, _ what: String, code: Int32 = errno) -> BackupError {
        BackupError(
            code == ENOSPC || code == EDQUOT || code == EFBIG ? .outOfSpace : .inputOutput,
            "“\(path)” can’t be \(what): \(String(cString: strerror(code))).")
    }
}
