import Synchronization

/// The main file alone.
final class FileOutput: ArchiveOutput {
    let takesCompanions = false
    private let target: TargetPath
    private let file: FileDescriptor
    private let written = Mutex(0)

    init(path: String, replaces: Bool) throws {
        target = try TargetPath(path, replaces: replaces)
        do {
            file = try FileDescriptor.create(target.temporary)
        } catch let error as ExportError {
            throw error.about(path, insteadOf: target.temporary)
        }
    }

    func begin(_ path: String) throws {}

    func pack(_ piece: ExportPiece) {}

    func append(_ piece: ExportPiece) throws {
        try file.write(piece.text.bytes)
        written.withLock { $0 += piece.text.count }
    }

    func finish() throws -> Int {
        try file.finish()
        try target.put()
        return written.withLock { $0 }
    }

    func abandon() {
        file.close()
        target.remove()
    }
}
