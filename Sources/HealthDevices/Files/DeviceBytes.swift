import AppleHealthExport
import Foundation
import HealthJSON

/// The bytes of a file, read once from start to end in pieces: many files of archives don't fit into memory.
///
/// Use it on one thread at a time.
// Unchecked: the reader of JSON calls a function that must be Sendable, but only on the thread that reads.
final class DeviceBytes: @unchecked Sendable {
    private let source: any ByteSource
    /// The number of bytes that were read.
    private(set) var count = 0

    init(_ source: any ByteSource) {
        self.source = source
    }

    /// Reads until the buffer is full or the file ends.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.readFully(into: buffer)
        self.count += count
        return count
    }

    /// A reader of the file as JSON, through a window of a quarter of a megabyte.
    func json() -> JSONReader {
        JSONReader(.reading { _, buffer in try self.read(into: buffer) }, isLenient: true)
    }

    /// Calls `body` with every line without its end, until it returns `false`. A line is in memory during the call only.
    ///
    /// - Throws: ``DeviceLineError`` for a line of more than a megabyte.
    func forEachLine(_ body: (_ offset: Int, UnsafeBufferPointer<UInt8>) throws -> Bool) throws {
        let buffer = UnsafeMutableBufferPointer<UInt8>.allocate(capacity: Self.longestLine)
        defer { buffer.deallocate() }
        var (filled, offset) = (0, 0)
        while true {
            let room = UnsafeMutableRawBufferPointer(UnsafeMutableBufferPointer(rebasing: buffer[filled...]))
            let added = try read(into: room)
            filled += added
            var start = 0
            while start < filled {
                let rest = UnsafeBufferPointer(rebasing: buffer[start..<filled])
                let end = rest.firstIndex(of: UInt8(ascii: "\n"))
                guard end != nil || added == 0 else { break }
                var line = UnsafeBufferPointer(rebasing: rest[..<(end ?? rest.count)])
                if line.last == UInt8(ascii: "\r") { line = UnsafeBufferPointer(rebasing: line.dropLast()) }
                if offset + start == 0, line.starts(with: [0xEF, 0xBB, 0xBF]) {
                    line = UnsafeBufferPointer(rebasing: line.dropFirst(3))
                }
                guard try body(offset + start, line) else { return }
                start += end.map { $0 + 1 } ?? rest.count
            }
            guard added > 0 else { return }
            guard start > 0 || filled < buffer.count else { throw DeviceLineError(offset: offset) }
            if start > 0, let first = buffer.baseAddress { first.update(from: first + start, count: filled - start) }
            (filled, offset) = (filled - start, offset + start)
        }
    }

    private static let longestLine = 1 << 20
}

/// The error for a line that is too long to be one of a table.
struct DeviceLineError: Error {
    let offset: Int
}
