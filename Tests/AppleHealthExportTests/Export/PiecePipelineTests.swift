import Foundation
import HealthModel
import Synchronization
import Testing

@testable import AppleHealthExport

@Suite struct PiecePipelineTests {
    /// Collects what is appended.
    private final class Collector: ArchiveOutput {
        let acceptsAuxiliaryFiles = false
        private let bytes = Mutex<[UInt8]>([])
        var text: String { bytes.withLock { String(decoding: $0, as: UTF8.self) } }

        func begin(_ path: String) throws {}
        func pack(_ piece: ExportPiece) { piece.packed.append(piece.text.bytes) }
        func append(_ piece: ExportPiece) throws { bytes.withLock { $0 += piece.packed.bytes } }
        func finish() throws -> Int { bytes.withLock { $0.count } }
        func abandon() {}
        func named(_ message: String) -> String { message }
    }

    private struct Trouble: Error {}

    private let style = RecordStyle(dictionaries: StoreDictionaries(), offset: 0)

    @Test(arguments: [1, 2, 5])
    func piecesComeInTheOrderAskedFor(_ cores: Int) throws {
        let output = Collector()
        var lengths = 0
        do {
            let pipeline = PiecePipeline(output: output, style: style, cores: cores) { lengths += $0.text.count }
            for number in 0..<500 {
                // Pieces of different lengths take different times.
                try pipeline.submit {
                    $0.text.append(String(repeating: "\(number),", count: number % 17 == 0 ? 2_000 : 1))
                }
            }
            try pipeline.drain()
        }
        let expected = (0..<500).map { String(repeating: "\($0),", count: $0 % 17 == 0 ? 2_000 : 1) }.joined()
        #expect(output.text == expected && lengths == expected.utf8.count)
    }

    @Test func aFailureIsThrownAndNothingAfterItIsWritten() throws {
        let output = Collector()
        let pipeline = PiecePipeline(output: output, style: style, cores: 2) { _ in }
        #expect(throws: Trouble.self) {
            for number in 0..<100 {
                try pipeline.submit { piece in
                    if number == 10 { throw Trouble() }
                    piece.text.append("\(number),")
                }
            }
            try pipeline.drain()
        }
        #expect(output.text == (0..<10).map { "\($0)," }.joined())
    }

    @Test func aReusedPieceIsEmpty() throws {
        let piece = ExportPiece(style: style)
        piece.text.append(String(repeating: "x", count: 20 << 20))
        piece.packed.append("y")
        piece.tally.report("n")
        piece.reset()
        #expect(piece.text.count == 0 && piece.packed.count == 0 && piece.tally.irregularities == [:])
        piece.text.append("z")
        #expect(String(decoding: piece.text.bytes, as: UTF8.self) == "z")
    }
}
