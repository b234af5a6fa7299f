import Foundation

/// An archive that comes in by standard input, as XML or as a zip file.
///
/// XML is read as it comes. A zip file's table of contents is its last part, and the files that the main one
/// names are found by it alone; so a zip file from a pipe is first put into a temporary file without a
/// name, which goes away with the process whatever becomes of it. One that is redirected from a file is
/// read where it lies.
enum StandardInput {
    /// What a path of this means.
    static let path = "-"
    /// What it is called in messages.
    static let name = "standard input"

    /// The archive on `descriptor`. Throws ``ImportError``.
    static func open(descriptor: Int32 = 0, growth: ZipGrowth) throws -> LocatedArchive {
        var status = stat()
        let place = "/proc/self/fd/\(descriptor)"
        if fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG,
            let file = try? FileByteSource(path: place, name: name)
        {
            let head = try file.bytes(at: 0, count: ExportSignature.length)
            if ExportSignature.isZip(head) {
                return try ArchiveLocator.open(zip: ZipReader(path: place, name: name), named: name, growth: growth)
            }
            try ArchiveLocator.expectExport(head, named: name)
            return LocatedArchive(main: file, companions: NoCompanions())
        }
        let pipe = DescriptorByteSource(descriptor: descriptor, name: name)
        let head = try [UInt8](unsafeUninitializedCapacity: ExportSignature.length) { buffer, filled in
            filled = try pipe.readFully(into: UnsafeMutableRawBufferPointer(buffer))
        }
        if ExportSignature.isZip(head) {
            let file = try SpooledFile(head: head, rest: pipe)
            let zip = try ArchiveLocator.readable(named: name) {
                try ZipReader(path: file.path, name: name, keeping: file)
            }
            return try ArchiveLocator.open(zip: zip, named: name, growth: growth)
        }
        try ArchiveLocator.expectExport(head, named: name)
        return LocatedArchive(main: HeadedByteSource(head: head, rest: pipe), companions: NoCompanions())
    }
}
