import Foundation

/// A stream of bytes that is read once, from start to end.
package protocol ByteSource: AnyObject {
    /// The name of the stream in messages: a path, or a path with an entry inside it.
    var name: String { get }
    /// The length of the stream in bytes; `nil` if it is not known in advance.
    var byteCount: Int? { get }
    /// Reads into the start of `buffer` and returns the number of bytes; 0 only at the end of the stream.
    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int
}

extension ByteSource {
    /// Reads until `buffer` is full or the stream ends.
    package func readFully(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count {
            let count = try read(into: UnsafeMutableRawBufferPointer(rebasing: buffer[filled...]))
            if count == 0 { break }
            filled += count
        }
        return filled
    }

    /// Returns the next `count` bytes; fewer at the end of the stream.
    package func bytes(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try readFully(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Returns all bytes that follow.
    package func contents() throws -> [UInt8] {
        var all: [UInt8] = []
        all.reserveCapacity(min(byteCount ?? 0, 1 << 25))
        while case let part = try bytes(1 << 16), !part.isEmpty { all += part }
        return all
    }
}

/// A stream that changes or checks what another one reads, whose name and length it has.
package protocol DerivedByteSource: ByteSource {
    var base: any ByteSource { get }
}

extension DerivedByteSource {
    package var name: String { base.name }
    package var byteCount: Int? { base.byteCount }
}

/// A regular file, read with `read(2)`: a mapped file would count against the process's memory.
package final class FileByteSource: ByteSource, Sendable {
    package let name: String
    package let byteCount: Int?
    private let descriptor: Int32

    /// Opens the file at `path`. Throws ``ImportError`` if it does not exist or cannot be read.
    ///
    /// - Parameter title: The name of the file in messages; its path by default.
    package init(path: String, name title: String? = nil) throws {
        descriptor = open(path, O_RDONLY | O_CLOEXEC)
        guard descriptor >= 0 else { throw ImportError.opening(title ?? path, errno: errno) }
        var status = stat()
        guard fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else {
            close(descriptor)
            throw ImportError(.unreadable, "“\(title ?? path)” cannot be read: it is not a regular file.")
        }
        name = title ?? path
        byteCount = Int(status.st_size)
    }

    deinit {
        close(descriptor)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let address = buffer.baseAddress, buffer.count > 0 else { return 0 }
        return try uninterrupted(name) { Foundation.read(descriptor, address, buffer.count) }
    }

    /// Reads up to `count` bytes at `offset` without moving the stream's position; returns 0 at the end of the file.
    package func read(at offset: Int, into address: UnsafeMutableRawPointer, count: Int) throws -> Int {
        try uninterrupted(name) { pread(descriptor, address, count, off_t(offset)) }
    }

    /// Returns the `count` bytes at `offset`; fewer at the end of the file.
    package func bytes(at offset: Int, count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try readFully(at: offset, into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Fills a buffer with the bytes at `offset`, less of it at the end of the file. Returns their number.
    func readFully(at offset: Int, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var filled = 0
        while filled < buffer.count, let address = buffer.baseAddress {
            let count = try read(at: offset + filled, into: address + filled, count: buffer.count - filled)
            if count == 0 { break }
            filled += count
        }
        return filled
    }
}

/// Repeats a call that reads until no signal interrupts it. Throws ``ImportError`` if it fails.
private func uninterrupted(_ name: String, _ read: () -> Int) throws -> Int {
    while true {
        let count = read()
        if count >= 0 { return count }
        guard errno == EINTR else { throw ImportError.reading(name, errno: errno) }
    }
}

/// A file descriptor, such as a pipe, read sequentially. The descriptor is not closed.
package final class DescriptorByteSource: ByteSource {
    package let name: String
    package let byteCount: Int? = nil
    private let descriptor: Int32

    package init(descriptor: Int32, name: String) {
        self.descriptor = descriptor
        self.name = name
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let address = buffer.baseAddress, buffer.count > 0 else { return 0 }
        return try uninterrupted(name) { Foundation.read(descriptor, address, buffer.count) }
    }
}

/// A stream whose first bytes have already been read, to detect its format.
package final class PrefixedByteSource: DerivedByteSource {
    package let base: any ByteSource
    private let head: [UInt8]
    private var position = 0

    package init(head: [UInt8], rest: any ByteSource) {
        (self.head, base) = (head, rest)
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard position < head.count else { return try base.read(into: buffer) }
        let count = min(buffer.count, head.count - position)
        buffer.copyBytes(from: head[position..<(position + count)])
        position += count
        return count
    }
}
