import HealthCompression

/// The contents of a zip entry, inflated while they are read, without a temporary file.
package final class ZipEntryStream: ByteSource {
    package let name: String
    package let byteCount: Int?
    private let entry: ZipEntry
    private let file: FileByteSource
    private let path: String
    private let title: String
    private let growth: ZipGrowth
    /// The offset of the next compressed bytes and the number of those that remain.
    private var fileOffset: Int
    private var remaining: Int
    /// `nil` for a stored entry.
    private let inflater: Inflater?
    private var produced = 0
    private var crc = CRC32()
    private var isAtEnd = false

    /// - Parameter title: The name of the zip file in messages; its path by default.
    package init(
        of entry: ZipEntry, in path: String, named title: String? = nil, growth: ZipGrowth = .unbounded
    ) throws {
        let title = title ?? path
        guard !entry.isEncrypted else { throw ZipError.encrypted(entry.name) }
        guard let method = entry.method else { throw ZipError.unsupported(entry.methodNumber, entry.name) }
        let file = try FileByteSource(path: path, name: title)
        let header = try file.bytes(at: entry.offset, count: ZipFormat.localHeaderLength)
        guard header.count == ZipFormat.localHeaderLength,
            header.littleEndian(0, as: UInt32.self) == ZipFormat.localHeader
        else { throw ZipError("the entry “\(entry.name)” is not at the offset in the directory") }
        self.entry = entry
        self.file = file
        self.path = path
        self.title = title
        self.growth = growth
        name = "\(title): \(entry.name)"
        byteCount = entry.size
        fileOffset =
            entry.offset + ZipFormat.localHeaderLength + Int(header.littleEndian(26, as: UInt16.self))
            + Int(header.littleEndian(28, as: UInt16.self))
        remaining = entry.compressedSize
        inflater = method == .deflated ? Inflater() : nil
    }

    /// Returns a function that reads the whole entry once more and throws if it is damaged.
    package var verification: @Sendable (_ isCancelled: () -> Bool) throws -> Void {
        { [entry, path, title, growth] isCancelled in
            let stream = try ZipEntryStream(of: entry, in: path, named: title, growth: growth)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: 1 << 18, alignment: 64)
            defer { buffer.deallocate() }
            while !isCancelled(), try stream.read(into: buffer) > 0 {}
        }
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !buffer.isEmpty else { return 0 }
        guard !isAtEnd else {
            // The last bytes have been returned, for a reader that recovers a damaged archive.
            try checkEnd()
            return 0
        }
        let count = try inflater.map { try inflate($0, into: buffer) } ?? readPacked(into: buffer)
        produced += count
        guard produced <= entry.size else {
            throw ZipError("the entry “\(entry.name)” has more bytes than stated in the directory")
        }
        guard growth.allows(produced, from: entry.compressedSize - remaining) else {
            throw ImportError.growing(name)
        }
        crc.append(UnsafeRawBufferPointer(rebasing: buffer[..<count]))
        isAtEnd = inflater?.isAtEnd ?? (remaining == 0)
        if isAtEnd, count == 0 { try checkEnd() }
        return count
    }

    private func inflate(_ inflater: Inflater, into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try inflater.read(into: buffer) { try readPacked(into: $0) }
        } catch InflateError.truncated {
            throw cutOff
        } catch is InflateError {
            throw ZipError("the entry “\(entry.name)” cannot be inflated after \(produced) bytes")
        }
    }

    /// Reads the next bytes as they are in the file; returns 0 only at the end of the entry.
    private func readPacked(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard remaining > 0, let address = buffer.baseAddress else { return 0 }
        let count = try file.read(at: fileOffset, into: address, count: min(buffer.count, remaining))
        guard count > 0 else { throw cutOff }
        fileOffset += count
        remaining -= count
        return count
    }

    private var cutOff: ZipError { ZipError("the entry “\(entry.name)” is cut off") }

    private func checkEnd() throws {
        guard produced == entry.size else {
            throw ZipError(
                "the entry “\(entry.name)” has \(produced) bytes instead of the \(entry.size) stated in the directory")
        }
        guard crc.value == entry.crc else {
            throw ZipError("the entry “\(entry.name)” does not match its checksum")
        }
    }
}

/// The limit on the ratio of an entry's uncompressed to its compressed size. For exports it is about 20 and seldom more
/// than 40; zip bombs reach 1,000.
package enum ZipGrowth {
    /// A factor of at most 250 beyond the first 64 MB.
    case bounded
    /// No limit.
    case unbounded

    package static let maximumFactor = 250
    static let freeLength = 1 << 26

    package func allows(_ produced: Int, from packed: Int) -> Bool {
        switch self {
        case .unbounded: true
        case .bounded: produced <= Self.freeLength || produced / Self.maximumFactor <= packed
        }
    }
}
