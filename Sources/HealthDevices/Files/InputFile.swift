import AppleHealthExport
import Foundation

/// A file at a path, or in a zip file or tar archive, which may be read more than once.
struct InputFile {
    private enum Place {
        case path
        case entry(ZipEntry, ZipReader)
        case part(TarDirectory.Entry, TarReader)
    }

    /// The name with those of the folders and zip files around it.
    let name: String
    private let filePath: String
    private let place: Place

    /// The largest file that is read as a whole; the longest activities have some 20 MB.
    private static let maximumSize = 1 << 28
    /// Larger files of a zip file are checked as a whole before they are read, because they are stored in parts.
    private static let largestUnchecked = 1 << 25

    /// - Parameter name: By default the path.
    init(path: String, name: String? = nil) {
        (self.name, filePath, place) = (name ?? path, path, .path)
    }

    /// - Parameter folder: What the name begins with.
    init(_ entry: ZipEntry, of zip: ZipReader, in folder: String) {
        (name, filePath, place) = (folder + entry.name, "", .entry(entry, zip))
    }

    /// - Parameter folder: What the name begins with.
    init(_ entry: TarDirectory.Entry, of tar: TarReader, in folder: String) {
        (name, filePath, place) = (folder + entry.name, "", .part(entry, tar))
    }

    /// The path; `nil` for a file in an archive.
    var path: String? {
        guard case .path = place else { return nil }
        return filePath
    }

    /// The name in lowercase without an ending of gzip's.
    var plainName: String {
        let name = name.lowercased()
        return name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    }

    var size: Int {
        switch place {
        case .path: (try? FileManager.default.attributesOfItem(atPath: filePath))?[.size] as? Int ?? 0
        case .entry(let entry, _): entry.size
        case .part(let entry, _): entry.size
        }
    }

    /// The file as a zip file, which in another one is unpacked to a temporary file.
    ///
    /// - Parameter recovers: Whether to find the entries of a file that was cut off, which has no directory.
    /// - Throws: ``ZipError``; errors of reading.
    func zip(recovers: Bool) throws -> ZipReader {
        switch place {
        case .path: try ZipReader(path: filePath, name: filePath, recoversDamagedArchives: recovers)
        case .entry(let entry, let zip): try zip.zip(in: entry)
        case .part: throw ZipError("it is in a tar archive, which has to be unpacked before")
        }
    }

    /// The file as a tar archive; `nil` for one in another archive.
    ///
    /// - Throws: ``DeviceFileError``; errors of reading and writing.
    func tar() throws -> TarReader? { try path.map { try TarReader(self, path: $0) } }

    /// Whether another file has the same bytes. Those in zip files tell by their checksums.
    func hasSameContents(as other: InputFile) -> Bool {
        guard size == other.size else { return false }
        if case .entry(let entry, _) = place, case .entry(let another, _) = other.place {
            return entry.crc == another.crc
        }
        guard let next = try? FilePieces.reading(source()), let others = try? FilePieces.reading(other.source()) else {
            return false
        }
        while let piece = try? next(), let another = try? others(), piece == another {
            if piece.isEmpty { return true }
        }
        return false
    }

    // MARK: - Contents

    /// The bytes from the beginning on.
    ///
    /// - Throws: ``DeviceFileError``; ``ZipError``, also of reading.
    private func source() throws -> any ByteSource {
        switch place {
        case .entry(let entry, let zip): return try zip.stream(of: entry)
        case .part(let entry, let tar): return try tar.source(of: entry)
        case .path:
            var status = stat()
            // Opening a pipe would block until it has a writer.
            guard stat(filePath, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let source = try? FileByteSource(path: filePath)
            else { throw DeviceFileError("it can’t be read") }
            return source
        }
    }

    /// The first bytes; `nil` if they can't be read.
    func head(_ count: Int) -> [UInt8]? {
        try? [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try source().readFully(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// The bytes for a reader that hands on parts of the file while it reads.
    ///
    /// - Throws: ``DeviceFileError``; ``ZipError``, also of reading.
    func bytes() throws -> DeviceBytes {
        let source = try source()
        if let stream = source as? ZipEntryStream, size > Self.largestUnchecked { try stream.verification { false } }
        return DeviceBytes(source)
    }

    /// The bytes in pieces, without the compression of gzip.
    ///
    /// - Throws: ``DeviceFileError``, also of reading.
    func pieces() throws -> () throws -> [UInt8] {
        do {
            return try FilePieces.unpacked(FilePieces.reading(source()))
        } catch is ZipError {
            throw DeviceFileError("its entry is damaged")
        }
    }

    /// All bytes, without the compression of gzip.
    ///
    /// - Throws: ``DeviceFileError``.
    func contents() throws -> [UInt8] {
        guard size <= Self.maximumSize else { throw DeviceFileError("it is too large") }
        let next = try pieces()
        var bytes: [UInt8] = []
        while case let piece = try next(), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= Self.maximumSize else { throw DeviceFileError("it is too large") }
        }
        return bytes
    }
}

/// Why a file of a device is not imported, worded as the end of a sentence about it.
struct DeviceFileError: Error, Hashable {
    let reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
