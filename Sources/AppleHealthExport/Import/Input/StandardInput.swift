import Foundation
import HealthFiles

/// An archive on standard input, as XML or as a zip file.
///
/// XML is read sequentially. A zip file has its directory at the end, so one from a pipe is first written to a
/// temporary file without a name, which disappears with the process. A redirected file is read in place.
extension StandardInput {
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
        let head = try pipe.bytes(ExportSignature.length)
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
