import HealthCompression

/// Finds the entries of a zip file without its directory, by the header before each entry's contents.
///
/// For a file that was cut off: the directory is at the end. The headers of streamed archives have no sizes, so the
/// contents of such an entry are inflated to find where they end.
struct ZipHeaderScan {
    private static let maximumCount = 1 << 20
    private static let outputLength = 1 << 18

    private let file: FileByteSource
    private let size: Int

    /// The entries up to the end of the file or the first place that is not a header, without folders. The last one
    /// may be cut off: reading it throws at the end of what is there.
    static func entries(in file: FileByteSource) throws -> [ZipEntry] {
        let scan = ZipHeaderScan(file: file, size: file.byteCount ?? 0)
        var entries: [ZipEntry] = []
        var position = 0
        while entries.count < maximumCount, let (entry, next) = try scan.entry(at: position) {
            if !entry.name.hasSuffix("/") { entries.append(entry) }
            position = next
        }
        return entries
    }

    /// The entry whose header is at `position`, and where the next one is; `nil` if there is no complete header.
    private func entry(at position: Int) throws -> (entry: ZipEntry, next: Int)? {
        let header = try file.bytes(at: position, count: ZipFormat.localHeaderLength)
        guard header.count == ZipFormat.localHeaderLength,
            header.littleEndian(0, as: UInt32.self) == ZipFormat.localHeader
        else {
            return nil
        }
        let flags = header.littleEndian(6, as: UInt16.self)
        let nameLength = Int(header.littleEndian(26, as: UInt16.self))
        let extraLength = Int(header.littleEndian(28, as: UInt16.self))
        let names = try file.bytes(at: position + ZipFormat.localHeaderLength, count: nameLength + extraLength)
        guard names.count == nameLength + extraLength else { return nil }
        let extra = Array(names[nameLength...])
        var entry = ZipEntry(
            name: ZipNameText.text(names[..<nameLength], isFlagged: flags & ZipFormat.flagUTF8 != 0, extra: extra),
            methodNumber: header.littleEndian(8, as: UInt16.self), crc: header.littleEndian(14, as: UInt32.self),
            compressedSize: Int(header.littleEndian(18, as: UInt32.self)),
            size: Int(header.littleEndian(22, as: UInt32.self)),
            offset: position, isEncrypted: flags & ZipFormat.flagEncrypted != 0)
        try ZipReader.readLargeSizes(extra, into: &entry)
        let contents = position + ZipFormat.localHeaderLength + nameLength + extraLength
        if flags & ZipFormat.flagDescriptor == 0 {
            // Sizes beyond the end of the file are those of an entry that is cut off.
            guard entry.compressedSize <= size - contents else {
                entry.compressedSize = max(0, size - contents)
                return (entry, size)
            }
            return (entry, contents + entry.compressedSize)
        }
        guard entry.method == .deflated, !entry.isEncrypted else {
            // Without a size, the end of such an entry is unknown.
            entry.compressedSize = max(0, size - contents)
            entry.size = entry.compressedSize
            return (entry, size)
        }
        let extent = try measure(from: contents)
        entry.compressedSize = extent.length
        entry.size = extent.size
        let descriptor = try descriptor(at: contents + extent.length)
        entry.crc = descriptor.crc ?? extent.crc
        return (entry, descriptor.end)
    }

    /// The length and the size of deflated contents, up to their end or to the end of the file.
    private func measure(from contents: Int) throws -> (length: Int, size: Int, crc: UInt32) {
        let inflater = Inflater()
        let output = UnsafeMutableRawBufferPointer.allocate(byteCount: Self.outputLength, alignment: 64)
        defer { output.deallocate() }
        var (position, produced, crc) = (contents, 0, CRC32())
        do {
            while !inflater.isAtEnd {
                let count = try inflater.read(into: output) { input in
                    let count = try file.read(
                        at: position, into: input.baseAddress!, count: min(input.count, size - position))
                    position += count
                    return count
                }
                crc.append(UnsafeRawBufferPointer(rebasing: output[..<count]))
                produced += count
            }
        } catch is InflateError {
            // Reading the entry fails at the same place.
        }
        return (position - inflater.unusedCount - contents, produced, crc.value)
    }

    /// The checksum and sizes that follow a streamed entry, with or without a signature, in 32 or 64 bits: where they
    /// end, and the checksum. The end of the file if they are cut off.
    private func descriptor(at position: Int) throws -> (end: Int, crc: UInt32?) {
        for (length, crcOffset) in [(16, 4), (24, 4), (12, 0), (20, 0)] {
            let next = position + length
            let mark = try file.bytes(at: next, count: 4)
            guard next == size || mark.count == 4 && Self.marks.contains(mark.littleEndian(0, as: UInt32.self)) else {
                continue
            }
            let bytes = try file.bytes(at: position, count: length)
            guard bytes.count == length else { continue }
            if crcOffset == 4, bytes.littleEndian(0, as: UInt32.self) != ZipFormat.dataDescriptor { continue }
            return (next, bytes.littleEndian(crcOffset, as: UInt32.self))
        }
        return (size, nil)
    }

    private static let marks: Set<UInt32> = [
        ZipFormat.localHeader, ZipFormat.directoryHeader, ZipFormat.end, ZipFormat.zip64End,
    ]
}
