/// Where the files of an archive go: the twin of ``ByteSource``.
///
/// Files are written one after the other, each from pieces in order. Until ``finish()`` has returned
/// nothing stands at the target; after ``abandon()`` nothing is left of what was written.
protocol ArchiveOutput: AnyObject, Sendable {
    /// Whether there may be files beside the main one.
    var takesCompanions: Bool { get }
    /// Begins a file; its path is relative to the export's folder. The one before is complete.
    func begin(_ path: String) throws
    /// Makes of a piece's text what ``append(_:)`` writes. Called on any thread, for several pieces at once.
    func pack(_ piece: ExportPiece)
    /// Writes a packed piece behind the last.
    func append(_ piece: ExportPiece) throws
    /// Puts what was written in its place and says how many bytes it has.
    func finish() throws -> Int
    /// Takes back what was written.
    func abandon()
}

extension ExportTarget {
    /// Opens the target; throws ``ExportError`` where it cannot be written or something is there already.
    func open(_ options: ExportOptions) throws -> any ArchiveOutput {
        switch self {
        case .zip(let path): try ZipOutput(path: path, options: options)
        case .folder(let path): try FolderOutput(path: path, replaces: options.replacesTarget)
        case .xml(let path): try FileOutput(path: path, replaces: options.replacesTarget)
        case .standardOutput: StandardOutput()
        }
    }
}
