import Foundation
package import HealthJSON

/// A file at a path, in a zip file or elsewhere, which may be read more than once.
package struct InputFile {
    private enum Place {
        case path
        case entry(ZipEntry, ZipReader)
        case source(size: Int, () throws -> any ByteSource)
    }

    /// The name with those of the folders and zip files around it.
    package let name: String
    private let filePath: String
    private let place: Place

    /// The largest file that is read as a whole; the longest activities have some 20 MB.
    private static let maximumSize = 1 << 28
    private static let pieceSize = 1 << 16
    /// Larger files of a zip file are checked as a whole before they are read, because they are stored in parts.
    private static let largestUnchecked = 1 << 25

    /// - Parameter name: By default the path.
    package init(path: String, name: String? = nil) {
        (self.name, filePath, place) = (name ?? path, path, .path)
    }

    /// - Parameter folder: What the name begins with.
    package init(_ entry: ZipEntry, of zip: ZipReader, in folder: String) {
        (name, filePath, place) = (folder + entry.name, "", .entry(entry, zip))
    }

    /// - Parameter source: The bytes from the beginning on.
    package init(name: String, size: Int, _ source: @escaping () throws -> any ByteSource) {
        (self.name, filePath, place) = (name, "", .source(size: size, source))
    }

    /// The path; `nil` for a file in an archive.
    package var path: String? {
        guard case .path = place else { return nil }
        return filePath
    }

    /// The entry of a zip file that the file is.
    package var zipEntry: (entry: ZipEntry, zip: ZipReader)? {
        guard case .entry(let entry, let zip) = place else { return nil }
        return (entry, zip)
    }

    /// The name in lowercase without an ending of gzip's.
    package var plainName: String {
        let name = name.lowercased()
        return name.hasSuffix(".gz") ? String(name.dropLast(3)) : name
    }

    package var size: Int {
        switch place {
        case .path: (try? FileManager.default.attributesOfItem(atPath: filePath))?[.size] as? Int ?? 0
        case .entry(let entry, _): entry.size
        case .source(let size, _): size
        }
    }

    /// The file as a zip file, which in another one is unpacked to a temporary file.
    ///
    /// - Parameter recovers: Whether to find the entries of a file that was cut off, which has no directory.
    /// - Throws: ``ZipError``; errors of reading.
    package func zip(recovers: Bool) throws -> ZipReader {
        switch place {
        case .path: try ZipReader(path: filePath, recoversDamagedArchives: recovers)
        case .entry(let entry, let zip): try zip.zip(in: entry)
        case .source: throw ZipError("it is in a tar archive, which has to be unpacked before")
        }
    }

    /// The file as a tar archive; `nil` for one in another archive.
    ///
    /// - Throws: ``FileReadingError``; errors of reading and writing.
    package func tar() throws -> TarReader? { try path.map { try TarReader(self, path: $0) } }

    /// Whether another file has the same bytes. Those in zip files tell by their checksums.
    package func hasSameContents(as other: InputFile) -> Bool {
        guard size == other.size else { return false }
        if case .entry(let entry, _) = place, case .entry(let another, _) = other.place {
            return entry.crc == another.crc
        }
        guard let source = try? source(), let others = try? other.source() else { return false }
        while let piece = try? source.bytes(Self.pieceSize), let another = try? others.bytes(Self.pieceSize),
            piece == another
        {
            if piece.isEmpty { return true }
        }
        return false
    }

    // MARK: - Contents

    /// The bytes from the beginning on.
    ///
    /// - Throws: ``FileReadingError``; ``ZipError``, also of reading.
    private func source() throws -> any ByteSource {
        switch place {
        case .entry(let entry, let zip): return try zip.stream(of: entry)
        case .source(_, let open): return try open()
        case .path:
            var status = stat()
            // Opening a pipe would block until it has a writer.
            guard stat(filePath, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
                let source = try? FileByteSource(path: filePath)
            else { throw FileReadingError("it can’t be read") }
            return source
        }
    }

    /// The first bytes; `nil` if they can't be read.
    package func head(_ count: Int) -> [UInt8]? {
        try? source().bytes(count)
    }

    /// The bytes for a reader that hands on parts of the file while it reads.
    ///
    /// - Throws: ``FileReadingError``; ``ZipError``, also of reading.
    package func bytes() throws -> FileBytes {
        let source = try source()
        if let stream = source as? ZipEntryStream, size > Self.largestUnchecked { try stream.verification { false } }
        return FileBytes(source)
    }

    /// The bytes as a document that is read in any order, of a copy if the file is compressed or in an archive.
    ///
    /// - Throws: ``FileReadingError``; ``ZipError``, also of reading.
    package func json() throws -> JSONSource {
        let isPlain = path != nil && !GzipHeader.begins(head(3) ?? [])
        let copy = isPlain ? nil : try SpooledFile(head: [], rest: unpacked())
        // It stays open when the copy has gone.
        let source = try withExtendedLifetime(copy) { try FileByteSource(path: copy?.path ?? filePath) }
        return .reading { try source.readFully(at: $0, into: $1) }
    }

    /// The bytes in pieces, without the compression of gzip.
    ///
    /// - Throws: ``FileReadingError``, also of reading.
    package func pieces() throws -> () throws -> [UInt8] {
        let source = try Self.explained(unpacked)
        return { try Self.explained { try source.bytes(Self.pieceSize) } }
    }

    private static func explained<Result>(_ read: () throws -> Result) throws -> Result {
        do {
            return try read()
        } catch let error as FileReadingError {
            throw error
        } catch {
            throw FileReadingError(error is ZipError ? "its entry is damaged" : "it can’t be read")
        }
    }

    /// The bytes, without the compression of gzip.
    func unpacked() throws -> any ByteSource { try GzipSource.unpacking(source()) }

    /// All bytes, without the compression of gzip.
    ///
    /// - Throws: ``FileReadingError``.
    package func contents() throws -> [UInt8] {
        guard size <= Self.maximumSize else { throw FileReadingError("it is too large") }
        let next = try pieces()
        var bytes: [UInt8] = []
        while case let piece = try next(), !piece.isEmpty {
            bytes += piece
            guard bytes.count <= Self.maximumSize else { throw FileReadingError("it is too large") }
        }
        return bytes
    }
}
