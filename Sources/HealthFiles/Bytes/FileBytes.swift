import Foundation
package import HealthJSON

/// The bytes of a file, read once from start to end in pieces: many files of archives don't fit into memory.
///
/// Use it on one thread at a time.
// Unchecked: the reader of JSON calls a function that must be Sendable, but only on the thread that reads.
package final class FileBytes: @unchecked Sendable {
    private let source: any ByteSource
    /// The number of bytes that were read.
    package private(set) var count = 0

    package init(_ source: any ByteSource) {
        self.source = source
    }

    /// Reads until the buffer is full or the file ends.
    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.readFully(into: buffer)
        self.count += count
        return count
    }

    /// A reader of the file as JSON, through a window of a quarter of a megabyte.
    package func json() -> JSONReader {
        JSONReader(.reading { _, buffer in try self.read(into: buffer) }, isLenient: true)
    }

    /// A reader of the file as a table whose fields commas separate.
    package func table() throws -> CSVReader {
        try CSVReader(separator: UInt8(ascii: ",")) {
            let piece = try self.source.bytes(1 << 16)
            self.count += piece.count
            return piece
        }
    }
}
