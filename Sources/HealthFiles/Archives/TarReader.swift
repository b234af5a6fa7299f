import Foundation
import HealthCompression

/// The files of a tar archive. One that gzip compressed is unpacked to a temporary file without a name first, because files
/// are read more than once.
package final class TarReader {
    package let directory: TarDirectory
    private let path: String
    /// The temporary file, which exists as long as this object.
    private let unpacked: SpooledFile?

    /// - Throws: ``FileReadingError``; errors of reading and writing.
    package init(_ file: InputFile, path: String) throws {
        var source: UnpackedSource?
        if GzipHeader.begins(file.head(TarHeader.blockSize) ?? []) {
            source = UnpackedSource(try file.unpacked(), named: file.name, packed: file.size)
        }
        unpacked = try source.map { try SpooledFile(head: [], rest: $0) }
        self.path = unpacked?.path ?? path
        let bytes = try FileByteSource(path: self.path, name: file.name)
        var directory = try TarDirectory(size: bytes.byteCount ?? 0) { try bytes.bytes(at: $0, count: $1) }
        if source?.isCut ?? false, directory.damage == nil { directory.damage = bytes.byteCount }
        self.directory = directory
    }

    /// The bytes of a file.
    package func source(of entry: TarDirectory.Entry) throws -> any ByteSource {
        TarEntrySource(entry, try FileByteSource(path: path, name: entry.name))
    }
}

/// The entries of a tar archive.
package struct TarDirectory {
    package struct Entry {
        package let name: String
        package let offset: Int
        package let size: Int
    }

    package private(set) var entries: [Entry] = []
    /// Where the archive is damaged or cut off; what is before was found.
    package var damage: Int?

    /// The longest name, which precedes its file as a separate file.
    private static let longestName = 1 << 16
    private static let maximumCount = 1_000_000

    /// Whether bytes begin a tar archive: the first header has the right checksum.
    package static func matches(_ head: some Collection<UInt8>) -> Bool {
        TarHeader(Array(head.prefix(TarHeader.blockSize)))?.name.isEmpty == false
    }

    /// - Parameters:
    ///   - size: The number of bytes of the archive.
    ///   - read: Returns bytes of it by their offset and number; fewer at its end.
    package init(size end: Int, _ read: (_ offset: Int, _ count: Int) throws -> [UInt8]) rethrows {
        let blockSize = TarHeader.blockSize
        var (offset, longName): (Int, String?) = (0, nil)
        while entries.count < Self.maximumCount {
            let block = try read(offset, blockSize)
            // Blocks of zeros end the archive.
            if block.isEmpty || block.allSatisfy({ $0 == 0 }) { return }
            guard let header = TarHeader(block), header.size <= end - offset - blockSize else {
                damage = offset
                return
            }
            let start = offset + blockSize
            switch header.kind {
            case .file:
                let name = longName ?? header.name
                if !name.hasSuffix("/") {
                    entries.append(Entry(name: Self.plain(name), offset: start, size: header.size))
                }
                longName = nil
            case .longName:
                longName = TarHeader.text(try read(start, min(header.size, Self.longestName))[...])
            case .attributes:
                let attributes = try read(start, min(header.size, Self.longestName))
                longName = TarHeader.path(inAttributes: attributes) ?? longName
            case .other: longName = nil
            }
            offset = start + (header.size + blockSize - 1) / blockSize * blockSize
        }
    }

    /// A name without the `./` with which tar begins the names of a folder's files.
    private static func plain(_ name: String) -> String {
        name.split(separator: "/").filter { $0 != "." }.joined(separator: "/")
    }
}

/// The header before each file of a tar archive.
struct TarHeader {
    enum Kind {
        case file
        /// The name of the next file, as GNU tar writes one of more than 100 bytes.
        case longName
        /// Attributes of the next file, as POSIX has it.
        case attributes
        /// A folder, a link, or what doesn't concern files.
        case other
    }

    let name: String
    let size: Int
    let kind: Kind

    static let blockSize = 512

    /// `nil` for a block whose checksum is wrong, or whose size isn't one.
    init?(_ block: [UInt8]) {
        guard block.count == Self.blockSize, let sum = Self.octal(block[148..<156]) else { return nil }
        // The checksum itself counts as spaces.
        let bytes = block[..<148].reduce(0) { $0 + Int($1) } + block[156...].reduce(0) { $0 + Int($1) } + 8 * 0x20
        guard bytes == sum, let size = Self.size(block[124..<136]) else { return nil }
        self.size = size
        let isPOSIX = block[257..<263].elementsEqual("ustar\0".utf8)
        let prefix = isPOSIX ? Self.text(block[345..<500]) : ""
        let name = Self.text(block[..<100])
        self.name = prefix.isEmpty ? name : "\(prefix)/\(name)"
        kind =
            switch block[156] {
            case 0, UInt8(ascii: "0"), UInt8(ascii: "7"): .file
            case UInt8(ascii: "L"): .longName
            case UInt8(ascii: "x"): .attributes
            default: .other
            }
    }

    /// The text before the first zero.
    static func text(_ bytes: ArraySlice<UInt8>) -> String { String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self) }

    /// The path in attributes, of which each is a line such as `21 path=folder/file`, with its own length.
    static func path(inAttributes bytes: [UInt8]) -> String? {
        var rest = bytes[...]
        while let space = rest.firstIndex(of: UInt8(ascii: " ")),
            let length = Int(String(decoding: rest[..<space], as: UTF8.self)), length > 0, length <= rest.count
        {
            let line = rest.prefix(length).dropFirst(space - rest.startIndex + 1)
            if line.starts(with: "path=".utf8) { return text(line.dropFirst(5).dropLast()) }
            rest = rest.dropFirst(length)
        }
        return nil
    }

    private static func octal(_ bytes: ArraySlice<UInt8>) -> Int? {
        Int(text(bytes).trimmingCharacters(in: .whitespaces), radix: 8).flatMap { $0 >= 0 ? $0 : nil }
    }

    /// A size in octal digits, or in binary, which GNU tar writes for eight gigabytes and more.
    private static func size(_ bytes: ArraySlice<UInt8>) -> Int? {
        guard bytes.first == 0x80 else { return bytes.allSatisfy { [0, 0x20].contains($0) } ? 0 : octal(bytes) }
        let number = bytes.suffix(8).reduce(UInt64(0)) { $0 << 8 | UInt64($1) }
        return number <= UInt64(Int.max / 8) ? Int(number) : nil
    }
}

/// A part of a file.
private final class TarEntrySource: ByteSource {
    let name: String
    let byteCount: Int?
    private let file: FileByteSource
    private var offset: Int
    private let end: Int

    init(_ entry: TarDirectory.Entry, _ file: FileByteSource) {
        (name, byteCount, self.file) = (entry.name, entry.size, file)
        (offset, end) = (entry.offset, entry.offset + entry.size)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard let address = buffer.baseAddress, offset < end else { return 0 }
        let count = try file.read(at: offset, into: address, count: min(buffer.count, end - offset))
        offset += count
        return count
    }
}

/// The data that gzip compressed, if it isn't far larger than the compressed data.
private final class UnpackedSource: ByteSource {
    let name: String
    let byteCount: Int? = nil
    private let base: any ByteSource
    private let packed: Int
    private var produced = 0
    /// Whether the data ends or is damaged before its end; what is before was unpacked.
    private(set) var isCut = false

    init(_ base: any ByteSource, named name: String, packed: Int) {
        (self.base, self.name, self.packed) = (base, name, packed)
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        var count = 0
        do {
            count = try base.read(into: buffer)
        } catch  where produced > 0 {
            isCut = true
        }
        produced += count
        guard ZipGrowth.bounded.allows(produced, from: packed) else {
            throw FileReadingError("it unpacks to more than \(ZipGrowth.maximumFactor) times its size")
        }
        return count
    }
}
