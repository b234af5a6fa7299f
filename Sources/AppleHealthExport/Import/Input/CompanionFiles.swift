/// The files an archive keeps beside its main file: routes, electrocardiograms, clinical records and
/// attachments. They are found by the paths the main file gives, which begin at the folder that the
/// main file lies in.
///
/// Nothing outside that folder is ever opened, whatever a path says, and no file is read beyond the
/// limit its reader sets. One thread at a time.
protocol CompanionFiles {
    /// The paths of the files in a folder of the archive (`electrocardiograms`), in the order of their
    /// names; none where there is no such folder.
    func paths(inFolder name: String) -> [String]
    /// The contents of the file at a path such as `/workout-routes/route.gpx`, as a stream that ends
    /// with an error after `limit` bytes. What reading throws goes through ``CompanionError/init(_:)``.
    func source(of path: String, limit: Int) throws(CompanionError) -> any ByteSource
}

extension CompanionFiles {
    /// What a reader of whole files takes at most: far more than any record of Apple's.
    static var usualLimit: Int { 1 << 25 }

    /// The whole contents of the file at `path`; throws for one that is missing, broken or larger than
    /// `limit` bytes.
    func contents(of path: String, limit: Int = Self.usualLimit) throws(CompanionError) -> [UInt8] {
        let source = try source(of: path, limit: limit)
        do {
            var bytes: [UInt8] = []
            bytes.reserveCapacity(min(source.byteCount ?? 0, limit))
            let part = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 16, alignment: 16)
            defer { part.deallocate() }
            while true {
                let count = try source.read(into: part)
                if count == 0 { return bytes }
                bytes.append(contentsOf: part[..<count])
            }
        } catch {
            throw CompanionError(error)
        }
    }
}
