import Foundation

/// An archive on standard input, as XML or as a zip file.
///
/// XML is read sequentially. A zip file has its directory at the end, so one from a pipe is first written to a
/// temporary file without a name, which disappears with the process. A redirected file is read in place.
enum StandardInput {
    /// The path that represents standard input.
    static let path = "-"
    /// The name of standard input in messages.
    static let name = "standard input"

    /// The archive on `descriptor`. Throws ``ImportError``.
    static func open(descriptor: Int32 = 0, growth: ZipGrowth, recoversDamagedArchives: Bool = false) throws
        -> LocatedArchive
    {
        var status = stat()
        let place = "/proc/self/fd/\(descriptor)"
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = try? FileByteSource(path: place, name: name)
        {
            let head = try file.bytes(at: 0, count: ExportSignature.length)
            if ExportSignature.isZip(head) {
                let zip = try ArchiveLocator.opened(
                    place, named: name, recoversDamagedArchives: recoversDamagedArchives)
                return try ArchiveLocator.open(zip: zip, named: name, growth: growth)
            }
            try ArchiveLocator.expectExport(head, named: name)
            return LocatedArchive(main: file, auxiliaryFiles: NoAuxiliaryFiles())
        }
        let pipe = DescriptorByteSource(descriptor: descriptor, name: name)
        let head = try [UInt8](unsafeUninitializedCapacity: ExportSignature.length) { buffer, filled in
            filled = try pipe.readFully(into: UnsafeMutableRawBufferPointer(buffer))
        }
        if ExportSignature.isZip(head) {
            let file = try SpooledFile(head: head, rest: pipe)
            let zip = try ArchiveLocator.opened(
                file.path, named: name, recoversDamagedArchives: recoversDamagedArchives, retaining: file)
            return try ArchiveLocator.open(zip: zip, named: name, growth: growth)
        }
        try ArchiveLocator.expectExport(head, named: name)
        return LocatedArchive(main: PrefixedByteSource(head: head, rest: pipe), auxiliaryFiles: NoAuxiliaryFiles())
    }
}

/// A stream copied to a temporary file without a name. The file disappears with this object, even if the process
/// is killed.
package final class SpooledFile: Sendable {
    private let descriptor: Int32

    /// The path at which the file can be opened while this object exists.
    package var path: String { "/proc/self/fd/\(descriptor)" }

    /// Copies the stream. Throws ``ImportError`` if reading or writing fails.
    package init(head: [UInt8], rest: any ByteSource) throws {
        var template = Array((NSTemporaryDirectory() + "archive-XXXXXX").utf8CString)
        descriptor = mkstemp(&template)
        guard descriptor >= 0 else { throw Self.error(rest.name, errno) }
        _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
        unlink(template)
        try head.withUnsafeBytes { try write($0, of: rest.name) }
        let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 16)
        defer { buffer.deallocate() }
        while true {
            let count = try rest.read(into: buffer)
            if count == 0 { return }
            try write(UnsafeRawBufferPointer(rebasing: buffer[..<count]), of: rest.name)
        }
    }

    deinit {
        close(descriptor)
    }

    private func write(_ bytes: UnsafeRawBufferPointer, of name: String) throws {
        var written = 0
        while written < bytes.count {
            let count = Foundation.write(descriptor, bytes.baseAddress! + written, bytes.count - written)
            guard count >= 0 || errno == EINTR else { throw Self.error(name, errno) }
            written += max(count, 0)
        }
    }

    private static func error(_ name: String, _ code: Int32) -> ImportError {
        ImportError(
            .unreadable,
            "The zip file from “\(name)” cannot be stored in \(NSTemporaryDirectory()) while it is read: \(String(cString: strerror(code)))."
        )
    }
}
