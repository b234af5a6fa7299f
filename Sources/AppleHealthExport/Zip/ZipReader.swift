/// Reads the central directory of a zip file and streams its entries. Sizes come from the directory
/// alone: archives written as a stream have none in their local headers. Zip64 is understood.
public struct ZipReader {
    /// The entries in the directory's order, folders left out.
    public let entries: [ZipEntry]
    let path: String
    /// What the file is called in messages.
    private let name: String
    /// What must live as long as the path is used.
    private let kept: AnyObject?

    /// Opens the zip file at `path`. Throws ``ZipError`` for bytes that make no sense, ``ImportError``
    /// for a file that cannot be read.
    public init(path: String) throws {
        try self.init(path: path, name: path)
    }

    init(path: String, name: String, keeping kept: AnyObject? = nil) throws {
        self.path = path
        self.name = name
        self.kept = kept
        let file = try FileByteSource(path: path, name: name)
        let size = file.byteCount ?? 0
        let directory = try Self.findDirectory(in: file, size: size)
        entries = try Self.readDirectory(directory, in: file)
    }

    /// A fresh stream of the entry's contents, from their beginning.
    public func stream(of entry: ZipEntry) throws -> ZipEntryStream {
        try stream(of: entry, growth: .unbounded)
    }

    func stream(of entry: ZipEntry, growth: ZipGrowth) throws -> ZipEntryStream {
        try ZipEntryStream(of: entry, in: path, named: name, growth: growth)
    }

    /// Where the central directory lies.
    private struct Directory {
        var offset: Int
        var length: Int
        var count: Int
    }

    /// A directory is read as a whole: this has room for more than a million files.
    private static let greatestDirectory = 1 << 28

    private static func findDirectory(in file: FileByteSource, size: Int) throws -> Directory {
        // The end record is followed by a comment of up to 65,535 bytes.
        let tailLength = min(size, ZipFormat.endLength + 65_535)
        let tailOffset = size - tailLength
        let tail = try file.bytes(at: tailOffset, count: tailLength)
        guard tail.count >= ZipFormat.endLength else {
            throw ZipError("it is too short to have a directory")
        }
        var end = tail.count - ZipFormat.endLength
        while tail.littleEndian(end, as: UInt32.self) != ZipFormat.end {
            guard end > 0 else { throw ZipError("it has no directory at its end; it may be cut off") }
            end -= 1
        }
        var directory = Directory(
            offset: Int(tail.littleEndian(end + 16, as: UInt32.self)),
            length: Int(tail.littleEndian(end + 12, as: UInt32.self)),
            count: Int(tail.littleEndian(end + 10, as: UInt16.self)))
        if let large = try findLargeDirectory(in: file, before: tailOffset + end) { directory = large }
        guard directory.length <= size, directory.offset <= size - directory.length else {
            throw ZipError("its directory lies outside the file")
        }
        guard directory.length <= greatestDirectory else {
            throw ZipError("its directory has more than \(greatestDirectory >> 20) MB")
        }
        return directory
    }

    /// The Zip64 directory, when a locator stands right before the end record.
    private static func findLargeDirectory(in file: FileByteSource, before end: Int) throws -> Directory? {
        guard end >= ZipFormat.zip64LocatorLength else { return nil }
        let locator = try file.bytes(
            at: end - ZipFormat.zip64LocatorLength, count: ZipFormat.zip64LocatorLength)
        guard locator.count == ZipFormat.zip64LocatorLength,
            locator.littleEndian(0, as: UInt32.self) == ZipFormat.zip64Locator
        else { return nil }
        let place = try offset(locator.littleEndian(8, as: UInt64.self))
        let record = try file.bytes(at: place, count: ZipFormat.zip64EndLength)
        guard record.count == ZipFormat.zip64EndLength,
            record.littleEndian(0, as: UInt32.self) == ZipFormat.zip64End
        else { throw ZipError("its 64-bit end record is not where the locator says") }
        return Directory(
            offset: try offset(record.littleEndian(48, as: UInt64.self)),
            length: try offset(record.littleEndian(40, as: UInt64.self)),
            count: try offset(record.littleEndian(32, as: UInt64.self)))
    }

    private static func readDirectory(_ directory: Directory, in file: FileByteSource) throws -> [ZipEntry] {
        let bytes = try file.bytes(at: directory.offset, count: directory.length)
        guard bytes.count == directory.length else { throw ZipError("its directory is cut off") }
        var entries: [ZipEntry] = []
        var position = 0
        for _ in 0..<directory.count {
            guard position + ZipFormat.directoryHeaderLength <= bytes.count,
                bytes.littleEndian(position, as: UInt32.self) == ZipFormat.directoryHeader
            else { throw ZipError("its directory breaks off after \(entries.count) entries") }
            let nameLength = Int(bytes.littleEndian(position + 28, as: UInt16.self))
            let extraLength = Int(bytes.littleEndian(position + 30, as: UInt16.self))
            let commentLength = Int(bytes.littleEndian(position + 32, as: UInt16.self))
            let nameStart = position + ZipFormat.directoryHeaderLength
            let extraStart = nameStart + nameLength
            let next = extraStart + extraLength + commentLength
            guard next <= bytes.count else { throw ZipError("its directory breaks off within an entry") }
            let extra = Array(bytes[extraStart..<(extraStart + extraLength)])
            let flags = bytes.littleEndian(position + 8, as: UInt16.self)
            var entry = ZipEntry(
                name: ZipNameText.text(
                    bytes[nameStart..<extraStart], isFlagged: flags & ZipFormat.flagUTF8 != 0, extra: extra),
                methodNumber: bytes.littleEndian(position + 10, as: UInt16.self),
                crc: bytes.littleEndian(position + 16, as: UInt32.self),
                compressedSize: Int(bytes.littleEndian(position + 20, as: UInt32.self)),
                size: Int(bytes.littleEndian(position + 24, as: UInt32.self)),
                offset: Int(bytes.littleEndian(position + 42, as: UInt32.self)),
                isEncrypted: flags & ZipFormat.flagEncrypted != 0)
            try readLargeSizes(extra, into: &entry)
            if !entry.name.hasSuffix("/") { entries.append(entry) }
            position = next
        }
        return entries
    }

    /// Takes 64-bit figures from the extra field, in their fixed order, for those that are full.
    private static func readLargeSizes(_ extra: [UInt8], into entry: inout ZipEntry) throws {
        var position = 0
        while position + 4 <= extra.count {
            let length = Int(extra.littleEndian(position + 2, as: UInt16.self))
            let next = position + 4 + length
            guard next <= extra.count else { return }
            if extra.littleEndian(position, as: UInt16.self) == ZipFormat.zip64Extra {
                var field = position + 4
                func take() throws -> Int {
                    guard field + 8 <= next else { throw ZipError("an entry's 64-bit sizes are cut off") }
                    defer { field += 8 }
                    return try offset(extra.littleEndian(field, as: UInt64.self))
                }
                if entry.size == 0xFFFF_FFFF { entry.size = try take() }
                if entry.compressedSize == 0xFFFF_FFFF { entry.compressedSize = try take() }
                if entry.offset == 0xFFFF_FFFF { entry.offset = try take() }
            }
            position = next
        }
    }

    private static func offset(_ number: UInt64) throws -> Int {
        guard number <= UInt64(Int.max / 2) else { throw ZipError("a size in it is beyond reason") }
        return Int(number)
    }
}
