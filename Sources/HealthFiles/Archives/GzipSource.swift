import HealthCompression

/// The contents of a gzip file, as a stream.
final class GzipSource: DerivedByteSource {
    let base: any ByteSource
    let byteCount: Int? = nil
    private let inflater = Inflater()
    /// Compressed bytes that were read before.
    private var head: ArraySlice<UInt8>

    private init(_ base: any ByteSource, head: ArraySlice<UInt8>) {
        (self.base, self.head) = (base, head)
    }

    /// The bytes of a source, without the compression of gzip if it has that.
    static func unpacking(_ source: any ByteSource) throws -> any ByteSource {
        let head = try source.bytes(1 << 16)
        guard GzipHeader.begins(head) else { return PrefixedByteSource(head: head, rest: source) }
        guard let start = GzipHeader.length(head) else { throw FileReadingError("its gzip header is damaged") }
        return GzipSource(source, head: head[start...])
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        do {
            return try inflater.read(into: buffer) { input in
                guard !head.isEmpty else { return try base.read(into: input) }
                let part = head.prefix(input.count)
                input.copyBytes(from: part)
                head = head.dropFirst(part.count)
                return part.count
            }
        } catch is InflateError {
            throw FileReadingError("its gzip data is damaged")
        }
    }
}

/// The header before the data of a gzip file.
package enum GzipHeader {
    /// Whether bytes are the beginning of a gzip file.
    package static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

    /// The number of bytes of the header; `nil` if it isn't whole.
    static func length(_ bytes: [UInt8]) -> Int? {
        guard bytes.count >= 18 else { return nil }
        let flags = bytes[3]
        var place = 10
        if flags & 4 != 0 { place += 2 + Int(bytes[10]) + Int(bytes[11]) << 8 }
        for flag: UInt8 in [8, 16] where flags & flag != 0 {
            guard place < bytes.count, let end = bytes[place...].firstIndex(of: 0) else { return nil }
            place = end + 1
        }
        if flags & 2 != 0 { place += 2 }
        return place < bytes.count ? place : nil
    }
}
