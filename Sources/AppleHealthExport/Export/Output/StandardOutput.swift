import Foundation
import Synchronization

/// The main file alone, to whoever reads the process's standard output.
final class StandardOutput: ArchiveOutput {
    let takesCompanions = false
    private let file = FileDescriptor(number: STDOUT_FILENO, path: "standard output")
    private let written = Mutex(0)

    func begin(_ path: String) throws {}

    func pack(_ piece: ExportPiece) {}

    func append(_ piece: ExportPiece) throws {
        try file.write(piece.text.bytes)
        written.withLock { $0 += piece.text.count }
    }

    func finish() throws -> Int {
        written.withLock { $0 }
    }

    func abandon() {}
}
