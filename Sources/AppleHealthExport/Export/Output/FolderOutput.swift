import Foundation
import Synchronization

/// A folder `apple_health_export` with all files, below the target.
final class FolderOutput: ArchiveOutput {
    private struct State {
        var file: FileDescriptor?
        var written = 0
    }

    let takesCompanions = true
    private let target: TargetPath
    private let state = Mutex(State())

    init(path: String, replaces: Bool) throws {
        do {
            try FileManager.default.createDirectory(atPath: path, withIntermediateDirectories: true)
            target = try TargetPath(path + "/" + ArchiveLayout.folder, replaces: replaces)
            try FileManager.default.createDirectory(atPath: target.temporary, withIntermediateDirectories: false)
        } catch let error as CocoaError {
            let code = (error.underlying as NSError?)?.code ?? Int(EIO)
            throw ExportError.writing(path, errno: Int32(code))
        }
    }

    func begin(_ path: String) throws {
        try state.withLock { state in
            try state.file?.finish()
            state.file = nil
            let url = URL(fileURLWithPath: target.temporary).appendingPathComponent(path)
            try FileManager.default.createDirectory(
                at: url.deletingLastPathComponent(), withIntermediateDirectories: true)
            state.file = try FileDescriptor.create(url.path)
        }
    }

    func pack(_ piece: ExportPiece) {}

    func append(_ piece: ExportPiece) throws {
        try state.withLock { state in
            try state.file?.write(piece.text.bytes)
            state.written += piece.text.count
        }
    }

    func finish() throws -> Int {
        try state.withLock { state in
            try state.file?.finish()
            state.file = nil
            try target.put()
            return state.written
        }
    }

    func abandon() {
        state.withLock { $0.file?.close() }
        target.remove()
    }
}
