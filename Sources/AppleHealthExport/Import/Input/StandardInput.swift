import Foundation
import HealthFiles

/// An archive on standard input, as XML or as a zip file, or something else.
///
/// XML of an archive is read sequentially. A zip file has its directory at the end, and what else there is may be read
/// twice, so both from a pipe are first written to a temporary file without a name, which disappears with the process. A
/// redirected file is read in place.
extension StandardInput {
    /// Something on standard input that isn't an archive.
    struct Other: Error {
        /// The path at which it can be read while this error exists.
        let path: String
        /// The owner of the file at the path.
        let owner: SpooledFile?
        /// Why it isn't an archive.
        let error: ImportError

        /// Returns the result of `body`, whose errors may say that there is no archive at a path.
        static func unless<Result>(
            at path: String, _ owner: SpooledFile? = nil, _ body: () throws -> Result
        ) throws -> Result {
            do {
                return try body()
            } catch let error as ImportError where [.notAnExport, .noExportInside].contains(error.kind) {
                throw Other(path: path, owner: owner, error: error)
            }
        }
    }

    /// The archive on `descriptor`. Throws ``ImportError``, and ``Other``.
    static func open(descriptor: Int32 = 0, growth: ZipGrowth, recoversDamagedArchives: Bool = false) throws
        -> LocatedArchive
    {
        var status = stat()
        let place = "/proc/self/fd/\(descriptor)"
        let isFile = fstat(descriptor, &status) == 0 && status.st_mode & S_IFMT == S_IFREG
        let file = isFile ? try? FileByteSource(path: place, name: name) : nil
        let pipe = DescriptorByteSource(descriptor: descriptor, name: name)
        let head = try file?.bytes(at: 0, count: ExportSignature.length) ?? pipe.bytes(ExportSignature.length)
        let isZip = ExportSignature.isZip(head)
        if !isZip, ExportSignature.matches(head) {
            let main = file.map { $0 as any ByteSource } ?? PrefixedByteSource(head: head, rest: pipe)
            return LocatedArchive(main: main, auxiliaryFiles: NoAuxiliaryFiles())
        }
        let copy = file == nil ? try SpooledFile(head: head, rest: pipe) : nil
        let path = copy?.path ?? place
        if !isZip { try Other.unless(at: path, copy) { try ArchiveLocator.expectExport(head, named: name) } }
        let zip = try ArchiveLocator.opened(
            path, named: name, recoversDamagedArchives: recoversDamagedArchives, retaining: copy)
        return try Other.unless(at: path, copy) { try ArchiveLocator.open(zip: zip, named: name, growth: growth) }
    }
}
