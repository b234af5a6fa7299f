/// Reads the central directory of a zip file and streams its entries. Sizes are taken from the directory, because
/// streamed archives have none in their local headers. Supports Zip64.
package struct ZipReader {
    /// The entries in directory order, without folders.
    package let entries: [ZipEntry]
    package let path: String
    /// The name of the file in messages.
    package let name: String
    /// An object that must exist as long as the path is used.
    private let owner: AnyObject?
    /// The damage of the directory, if the entries were found without it.
    package let damage: ZipError?

    /// Opens the zip file at `path`. Throws ``ZipError`` if it is damaged, ``ImportError`` if it cannot be read.
    ///
    /// - Parameters:
    ///   - name: The name of the file in messages; its path by default.
    ///   - recoversDamagedArchives: Whether to find the entries by their local headers if the directory is missing or
    ///     damaged.
    package init(
        path: String, name: String? = nil, recoversDamagedArchives: Bool = false, retaining owner: AnyObject? = nil
    ) throws {
        (self.path, self.name, self.owner) = (path, name ?? path, owner)
        let file = try FileByteSource(path: path, name: name)
        do {
            let directory = try Self.findDirectory(in: file, size: file.byteCount ?? 0)
            let listed = try Self.readDirectory(directory, in: file)
            try Self.checkOverlaps(of: listed)
            entries = listed
            damage = nil
        } catch let error as ZipError where recoversDamagedArchives {
            entries = try ZipHeaderScan.entries(in: file)
            if entries.isEmpty { throw error }
            damage = error
        }
    }

    /// Returns a new stream of the entry's contents.
    ///
    /// - Throws: ``ZipError`` if the entry is encrypted, compressed with an unknown method, or not where the directory
    ///   says.
    package func stream(of entry: ZipEntry, growth: ZipGrowth = .unbounded) throws -> ZipEntryStream {
        try ZipEntryStream(of: entry, in: path, named: name, growth: growth)
    }

    /// Opens an entry that is a zip file itself. It is unpacked to a temporary file without a name, which disappears with
    /// the result.
    package func zip(in entry: ZipEntry) throws -> ZipReader {
        let file = try SpooledFile(head: [], rest: stream(of: entry, growth: .bounded))
        return try ZipReader(path: file.path, name: "\(name): \(entry.name)", retaining: file)
    }

    /// The location of the central directory.
    private struct Directory {
        var offset: Int
        var length: Int
        /// The number of entries; without Zip64 only its lower 16 bits.
        var count: Int
    }

    /// The maximum size of the directory, which is read as a whole: enough for more than a million files.
    private static let maximumDirectorySize = 1 << 28

    private static func findDirectory(in file: FileByteSource, size: Int) throws -> Directory {
        // A comment of up to 65,535 bytes may follow the end record.
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
            throw ZipError("its directory is outside the file")
        }
        guard directory.length <= maximumDirectorySize else {
            throw ZipError("its directory has more than \(maximumDirectorySize >> 20) MB")
        }
        return directory
    }

    /// The Zip64 directory, if there is a locator directly before the end record.
    private static func findLargeDirectory(in file: FileByteSource, before end: Int) throws -> Directory? {
        guard end >= ZipFormat.zip64LocatorLength else { return nil }
        let locator = try file.bytes(at: end - ZipFormat.zip64LocatorLength, count: ZipFormat.zip64LocatorLength)
        guard locator.count == ZipFormat.zip64LocatorLength,
            locator.littleEndian(0, as: UInt32.self) == ZipFormat.zip64Locator
        else { return nil }
        let place = try offset(locator.littleEndian(8, as: UInt64.self))
        let record = try file.bytes(at: place, count: ZipFormat.zip64EndLength)
        guard record.count == ZipFormat.zip64EndLength, record.littleEndian(0, as: UInt32.self) == ZipFormat.zip64End
        else { throw ZipError("its 64-bit end record is not at the offset in the locator") }
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
        var number = 0
        while true {
            guard position + ZipFormat.directoryHeaderLength <= bytes.count,
                bytes.littleEndian(position, as: UInt32.self) == ZipFormat.directoryHeader
            else {
                // Tools without Zip64 write the number of entries modulo 65,536, so the header of the next one counts.
                if number >= directory.count { return entries }
                throw ZipError("its directory ends after \(entries.count) entries")
            }
            number += 1
            let nameLength = Int(bytes.littleEndian(position + 28, as: UInt16.self))
            let extraLength = Int(bytes.littleEndian(position + 30, as: UInt16.self))
            let commentLength = Int(bytes.littleEndian(position + 32, as: UInt16.self))
            let nameStart = position + ZipFormat.directoryHeaderLength
            let extraStart = nameStart + nameLength
            let next = extraStart + extraLength + commentLength
            guard next <= bytes.count else { throw ZipError("its directory ends within an entry") }
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
    }

    /// Throws if entries share bytes of the file: a directory could otherwise make a small file expand to any number of
    /// large ones.
    private static func checkOverlaps(of entries: [ZipEntry]) throws {
        var end = 0
        for entry in entries.sorted(by: { $0.offset < $1.offset }) {
            guard entry.offset >= end else { throw ZipError("its entries overlap") }
            end = entry.offset + ZipFormat.localHeaderLength + entry.compressedSize
        }
    }

    /// Reads 64-bit values from the extra field, in their fixed order, for the 32-bit fields that have overflowed.
    static func readLargeSizes(_ extra: [UInt8], into entry: inout ZipEntry) throws {
        var position = 0
        while position + 4 <= extra.count {
            let length = Int(extra.littleEndian(position + 2, as: UInt16.self))
            let next = position + 4 + length
            guard next <= extra.count else { return }
            if extra.littleEndian(position, as: UInt16.self) == ZipFormat.zip64Extra {
                var field = position + 4
                func nextSize() throws -> Int {
                    guard field + 8 <= next else { throw ZipError("an entry's 64-bit sizes are cut off") }
                    defer { field += 8 }
                    return try offset(extra.littleEndian(field, as: UInt64.self))
                }
                if entry.size == 0xFFFF_FFFF { entry.size = try nextSize() }
                if entry.compressedSize == 0xFFFF_FFFF { entry.compressedSize = try nextSize() }
                if entry.offset == 0xFFFF_FFFF { entry.offset = try nextSize() }
            }
            position = next
        }
    }

    private static func offset(_ number: UInt64) throws -> Int {
        // Sums of some of them don't overflow.
        guard number <= UInt64(Int.max / 8) else { throw ZipError("a size in it is impossibly large") }
        return Int(number)
    }
}
