import Synchronization

@testable import AppleHealthExport

/// An output that fails after some pieces.
final class FailingOutput: ArchiveOutput {
    private let output: any ArchiveOutput
    private let left: Mutex<Int>

    init(_ output: any ArchiveOutput, after pieces: Int) {
        self.output = output
        left = Mutex(pieces)
    }

    var acceptsAuxiliaryFiles: Bool { output.acceptsAuxiliaryFiles }

    func begin(_ path: String) throws { try output.begin(path) }

    func pack(_ piece: ExportPiece) { output.pack(piece) }

    func named(_ message: String) -> String { output.named(message) }

    func append(_ piece: ExportPiece) throws {
        let isOver = left.withLock { left in
            left -= 1
            return left < 0
        }
        if isOver { throw ExportError(.unwritable, "the disk is full") }
        try output.append(piece)
    }

    func finish() throws -> Int { try output.finish() }

    func abandon() { output.abandon() }
}
