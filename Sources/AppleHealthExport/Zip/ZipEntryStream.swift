import CZlib

/// The contents of a zip entry, inflated while they are read, without a temporary file.
public final class ZipEntryStream: ByteSource {
    let name: String
    let byteCount: Int?
    private let entry: ZipEntry
    private let file: FileByteSource
    private let path: String
    private let title: String
    private let growth: ZipGrowth
    /// The offset of the next compressed bytes and the number of those that remain.
    private var fileOffset: Int
    private var remaining: Int
    private let input: UnsafeMutablePointer<UInt8>
    /// zlib requires a stable address for its stream. `nil` for a stored entry.
    private let inflater: UnsafeMutablePointer<z_stream>?
    private var produced = 0
    private var crc: UInt = 0
    private var isAtEnd = false

    private static let inputLength = 1 << 18

    /// - Parameter title: The name of the zip file in messages; its path by default.
    init(
        of entry: ZipEntry, in path: String, named title: String? = nil, growth: ZipGrowth = .unbounded
    ) throws {
        let title = title ?? path
        guard !entry.isEncrypted else { throw ZipError("the entry “\(entry.name)” is encrypted") }
        guard let method = entry.method else {
            throw ZipError(
                "the entry “\(entry.name)” uses compression method \(entry.methodNumber); only stored and deflated entries can be read"
            )
        }
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
        input = .allocate(capacity: Self.inputLength)
        if method == .deflated {
            let stream = UnsafeMutablePointer<z_stream>.allocate(capacity: 1)
            stream.initialize(to: z_stream())
            precondition(czlib_inflateInitRaw(stream) == Z_OK, "zlib has no memory to start")
            inflater = stream
        } else {
            inflater = nil
        }
    }

    deinit {
        input.deallocate()
        if let inflater {
            inflateEnd(inflater)
            inflater.deallocate()
        }
    }

    /// Returns a function that reads the whole entry once more and throws if it is damaged.
    var verification: @Sendable (_ isCancelled: () -> Bool) throws -> Void {
        { [entry, path, title, growth] isCancelled in
            let stream = try ZipEntryStream(of: entry, in: path, named: title, growth: growth)
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: ZipEntryStream.inputLength, alignment: 64)
            defer { buffer.deallocate() }
            while !isCancelled(), try stream.read(into: buffer) > 0 {}
        }
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard buffer.count > 0, let address = buffer.baseAddress else { return 0 }
        guard !isAtEnd else {
            // The last bytes have been returned, for a reader that keeps what is there.
            try checkEnd()
            return 0
        }
        let room = min(buffer.count, Int(UInt32.max))
        let count =
            try inflater.map { try inflate($0, into: address, room: room) }
            ?? file.read(at: fileOffset, into: address, count: min(room, remaining))
        if inflater == nil {
            guard count > 0 || remaining == 0 else { throw ZipError("the entry “\(entry.name)” is cut off") }
            fileOffset += count
            remaining -= count
        }
        produced += count
        guard produced <= entry.size else {
            throw ZipError("the entry “\(entry.name)” has more bytes than stated in the directory")
        }
        guard growth.allows(produced, from: entry.compressedSize - remaining) else {
            throw ImportError.growing(name)
        }
        crc = crc32_z(crc, address.assumingMemoryBound(to: UInt8.self), count)
        if inflater == nil, remaining == 0 { isAtEnd = true }
        if isAtEnd, count == 0 { try checkEnd() }
        return count
    }

    /// Returns the next `count` bytes of the entry; fewer at its end.
    func head(_ count: Int) throws -> [UInt8] {
        try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try readFully(into: UnsafeMutableRawBufferPointer(buffer))
        }
    }

    /// Returns the contents of the entry.
    public func contents() throws -> [UInt8] {
        var all: [UInt8] = []
        while true {
            let part = try head(1 << 16)
            if part.isEmpty { return all }
            all += part
        }
    }

    private func inflate(
        _ stream: UnsafeMutablePointer<z_stream>, into address: UnsafeMutableRawPointer, room: Int
    ) throws -> Int {
        stream.pointee.next_out = address.assumingMemoryBound(to: UInt8.self)
        stream.pointee.avail_out = UInt32(room)
        while stream.pointee.avail_out == UInt32(room) {
            if stream.pointee.avail_in == 0, remaining > 0 {
                let count = try file.read(
                    at: fileOffset, into: UnsafeMutableRawPointer(input), count: min(Self.inputLength, remaining))
                guard count > 0 else { throw ZipError("the entry “\(entry.name)” is cut off") }
                fileOffset += count
                remaining -= count
                stream.pointee.next_in = input
                stream.pointee.avail_in = UInt32(count)
            }
            let code = CZlib.inflate(stream, Z_NO_FLUSH)
            if code == Z_STREAM_END {
                isAtEnd = true
                break
            }
            guard code == Z_OK || code == Z_BUF_ERROR else {
                // The next call fails in the same way.
                if stream.pointee.avail_out < UInt32(room) { break }
                throw ZipError("the entry “\(entry.name)” cannot be inflated after \(produced) bytes")
            }
            if stream.pointee.avail_in == 0, remaining == 0, stream.pointee.avail_out == UInt32(room) {
                throw ZipError("the entry “\(entry.name)” is cut off")
            }
        }
        return room - Int(stream.pointee.avail_out)
    }

    private func checkEnd() throws {
        guard produced == entry.size else {
            throw ZipError(
                "the entry “\(entry.name)” has \(produced) bytes instead of the \(entry.size) stated in the directory")
        }
        guard UInt32(truncatingIfNeeded: crc) == entry.crc else {
            throw ZipError("the entry “\(entry.name)” does not match its checksum")
        }
    }
}

/// The limit on the ratio of an entry's uncompressed to its compressed size. For exports it is about 20 and seldom more
/// than 40; zip bombs reach 1,000.
enum ZipGrowth {
    /// A factor of at most 250 beyond the first 64 MB.
    case bounded
    /// No limit.
    case unbounded

    static let maximumFactor = 250
    static let freeLength = 1 << 26

    func allows(_ produced: Int, from packed: Int) -> Bool {
        switch self {
        case .unbounded: true
        case .bounded: produced <= Self.freeLength || produced / Self.maximumFactor <= packed
        }
    }
}
