import Foundation
package import HealthCompression

/// Writes a zip file as a stream, entry by entry: the counterpart of ``ZipReader``.
///
/// Use a writer from one thread at a time. If it is released without a call to ``finish()``, the file has no
/// directory.
package final class ZipWriter {
    /// Options for writing entries.
    package struct Options: Hashable, Sendable {
        /// zlib's compression level, from 1 to 9; `nil` stores the bytes without compression.
        package var level: Int?
        /// A Boolean value that indicates whether sizes and checksum follow the data, as in Apple's archives.
        /// Otherwise an entry's data is held in memory until the entry is complete.
        package var usesDescriptors: Bool
        /// A Boolean value that indicates whether sizes are always written in 64 bits, not only if they need to be.
        package var forcesZip64: Bool
        /// A Boolean value that indicates whether names are flagged as UTF-8.
        package var flagsNamesAsUTF8: Bool
        /// The modification time of every entry. With a fixed time, equal contents produce equal files.
        package var modified: ZipTime
        /// The comment at the end of the file.
        package var comment = ""

        /// Creates options, by default with zlib's middle level, descriptors and flagged names.
        package init(
            level: Int? = 6, usesDescriptors: Bool = true, forcesZip64: Bool = false,
            flagsNamesAsUTF8: Bool = true, modified: ZipTime = .earliest
        ) {
            self.level = level
            self.usesDescriptors = usesDescriptors
            self.forcesZip64 = forcesZip64
            self.flagsNamesAsUTF8 = flagsNamesAsUTF8
            self.modified = modified
        }
    }

    private struct Open {
        var entry: ZipEntry
        var deflater: Deflater?
        /// Whether the caller compresses; see ``ZipWriter/write(packed:unpackedCount:checksum:)``.
        var isPacked = false
        /// The compressed bytes, held until the header's sizes are known; unused with descriptors.
        var held: [UInt8] = []
        var crc = CRC32()
    }

    private let descriptor: Int32
    private let path: String
    private let options: Options
    /// The number of bytes written to the file so far.
    package private(set) var offset = 0
    private var pending: [UInt8] = []
    private var entries: [ZipEntry] = []
    private var current: Open?

    private static let flushLength = 1 << 18

    /// Creates or replaces the file at `path`. Throws ``ZipError`` if it cannot be written.
    package init(path: String, options: Options = .init()) throws {
        descriptor = open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o600)
        guard descriptor >= 0 else {
            throw ZipError("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
        }
        self.path = path
        self.options = options
    }

    deinit {
        close(descriptor)
    }

    /// Begins an entry and completes the previous one.
    ///
    /// - Parameter isPacked: Whether its bytes are written with ``write(packed:unpackedCount:checksum:)``.
    package func beginEntry(_ name: String, isPacked: Bool = false) throws {
        try endEntry()
        let method: ZipEntry.Method = options.level == nil && !isPacked ? .stored : .deflated
        let entry = ZipEntry(
            name: name, methodNumber: method.rawValue, crc: 0, compressedSize: 0, size: 0, offset: offset)
        current = Open(
            entry: entry, deflater: isPacked ? nil : options.level.map { Deflater(level: $0) }, isPacked: isPacked)
        if options.usesDescriptors { try append(localHeader(entry)) }
    }

    /// Appends to the entry that was begun.
    package func write(_ bytes: UnsafeRawBufferPointer) throws {
        precondition(current?.isPacked == false, "write before beginEntry, or into a packed entry")
        current!.entry.size += bytes.count
        current!.crc.append(bytes)
        guard let deflater = current!.deflater else { return try appendData(Array(bytes)) }
        var packed: [UInt8] = []
        deflater.deflate(bytes) { packed += $0 }
        try appendData(packed)
    }

    /// Appends to the entry that was begun.
    package func write(_ bytes: [UInt8]) throws {
        try bytes.withUnsafeBytes { try write($0) }
    }

    /// Appends bytes that the caller has compressed: deflate blocks that end on a byte boundary, none of which is
    /// marked as the last block.
    ///
    /// - Parameters:
    ///   - unpackedCount: The number of uncompressed bytes.
    ///   - checksum: The CRC-32 of the uncompressed bytes.
    package func write(packed bytes: UnsafeRawBufferPointer, unpackedCount: Int, checksum: CRC32) throws {
        precondition(current?.isPacked == true, "packed bytes for an entry that is not packed")
        current!.entry.size += unpackedCount
        current!.crc.append(checksum, count: unpackedCount)
        try appendData(Array(bytes))
    }

    /// Completes the last entry and writes the directory.
    package func finish() throws {
        try endEntry()
        let start = offset
        for entry in entries { try append(directoryHeader(entry)) }
        try append(endRecords(start: start, length: offset - start))
        try flush()
        // Pipes and some other files do not support synchronization.
        guard fsync(descriptor) == 0 || errno == EINVAL || errno == EROFS else {
            throw ZipError("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
        }
    }

    private func appendData(_ packed: [UInt8]) throws {
        current!.entry.compressedSize += packed.count
        if options.usesDescriptors {
            try append(packed)
        } else {
            current!.held += packed
        }
    }

    private func endEntry() throws {
        guard current != nil else { return }
        if let deflater = current!.deflater {
            var rest: [UInt8] = []
            deflater.deflate(UnsafeRawBufferPointer(start: nil, count: 0), .finish) { rest += $0 }
            try appendData(rest)
        }
        // An empty block that is marked as the last.
        if current!.isPacked { try appendData([0x03, 0x00]) }
        current!.entry.crc = current!.crc.value
        let open = current!
        current = nil
        if options.usesDescriptors {
            var record: [UInt8] = []
            record.append(littleEndian: ZipFormat.dataDescriptor, open.entry.crc)
            if isLarge(open.entry) {
                record.append(littleEndian: UInt64(open.entry.compressedSize), UInt64(open.entry.size))
            } else {
                record.append(littleEndian: UInt32(open.entry.compressedSize), UInt32(open.entry.size))
            }
            try append(record)
        } else {
            try append(localHeader(open.entry))
            try append(open.held)
        }
        entries.append(open.entry)
    }

    private func isLarge(_ entry: ZipEntry) -> Bool {
        options.forcesZip64 || max(entry.size, entry.compressedSize, entry.offset) >= 0xFFFF_FFFF
    }

    private func flags() -> UInt16 {
        (options.usesDescriptors ? ZipFormat.flagDescriptor : 0) | (options.flagsNamesAsUTF8 ? ZipFormat.flagUTF8 : 0)
    }

    /// Appends the version needed, flags, method, time and date.
    private func appendCommon(_ entry: ZipEntry, to record: inout [UInt8]) {
        record.append(
            littleEndian: UInt16(isLarge(entry) ? 45 : 20), flags(), entry.methodNumber, options.modified.time,
            options.modified.date)
    }

    private func localHeader(_ entry: ZipEntry) -> [UInt8] {
        let isStreamed = options.usesDescriptors
        let isLarge = !isStreamed && isLarge(entry)
        var record: [UInt8] = []
        record.append(littleEndian: ZipFormat.localHeader)
        appendCommon(entry, to: &record)
        record.append(
            littleEndian: isStreamed ? 0 : entry.crc,
            isStreamed ? 0 : isLarge ? UInt32.max : UInt32(entry.compressedSize),
            isStreamed ? 0 : isLarge ? UInt32.max : UInt32(entry.size), UInt16(entry.name.utf8.count),
            UInt16(isLarge ? 20 : 0))
        record += entry.name.utf8
        if isLarge {
            record.append(
                littleEndian: ZipFormat.zip64Extra, UInt16(16), UInt64(entry.size), UInt64(entry.compressedSize))
        }
        return record
    }

    private func directoryHeader(_ entry: ZipEntry) -> [UInt8] {
        let isLarge = isLarge(entry)
        var record: [UInt8] = []
        record.append(littleEndian: ZipFormat.directoryHeader)
        // Made by: Unix, version 4.5 or 2.0; the same as the version needed.
        record.append(littleEndian: UInt16(3 << 8 | (isLarge ? 45 : 20)))
        appendCommon(entry, to: &record)
        record.append(
            littleEndian: entry.crc, isLarge ? UInt32.max : UInt32(entry.compressedSize),
            isLarge ? UInt32.max : UInt32(entry.size), UInt16(entry.name.utf8.count), UInt16(isLarge ? 28 : 0),
            UInt16(0), UInt16(0), UInt16(0))
        // An ordinary file, readable by all.
        record.append(littleEndian: UInt32(0o100644) << 16, isLarge ? UInt32.max : UInt32(entry.offset))
        record += entry.name.utf8
        if isLarge {
            record.append(
                littleEndian: ZipFormat.zip64Extra, UInt16(24), UInt64(entry.size), UInt64(entry.compressedSize),
                UInt64(entry.offset))
        }
        return record
    }

    private func endRecords(start: Int, length: Int) -> [UInt8] {
        var record: [UInt8] = []
        let isLarge = options.forcesZip64 || entries.count >= 0xFFFF || start + length >= 0xFFFF_FFFF
        if isLarge {
            record.append(
                littleEndian: ZipFormat.zip64End, UInt64(ZipFormat.zip64EndLength - 12), UInt16(3 << 8 | 45),
                UInt16(45), UInt32(0), UInt32(0), UInt64(entries.count), UInt64(entries.count), UInt64(length),
                UInt64(start), ZipFormat.zip64Locator, UInt32(0), UInt64(start + length), UInt32(1))
        }
        record.append(
            littleEndian: ZipFormat.end, UInt16(0), UInt16(0), isLarge ? UInt16.max : UInt16(entries.count),
            isLarge ? UInt16.max : UInt16(entries.count), isLarge ? UInt32.max : UInt32(length),
            isLarge ? UInt32.max : UInt32(start), UInt16(options.comment.utf8.count))
        return record + options.comment.utf8
    }

    private func append(_ bytes: [UInt8]) throws {
        pending += bytes
        offset += bytes.count
        if pending.count >= Self.flushLength { try flush() }
    }

    private func flush() throws {
        var written = 0
        while written < pending.count {
            let count = pending.withUnsafeBytes {
                Foundation.write(descriptor, $0.baseAddress! + written, $0.count - written)
            }
            guard count >= 0 || errno == EINTR else {
                throw ZipError("“\(path)” cannot be written: \(String(cString: strerror(errno)))")
            }
            written += max(count, 0)
        }
        pending.removeAll(keepingCapacity: true)
    }
}
