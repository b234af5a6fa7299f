import Foundation

/// An encoding of one byte per character that an XML file declares in its first line, `<?xml … encoding="…"?>`.
///
/// Apple's archives are in UTF-8; programs that rewrite them are not always. ISO-8859-1 is read as Windows-1252, of
/// which it is a part except for control characters that no archive contains.
package enum DeclaredEncoding {
    /// The number of bytes in which the declaration is looked for.
    package static let length = 256

    private static let names: Set = [
        "iso-8859-1", "iso8859-1", "iso_8859-1", "latin1", "latin-1", "l1", "windows-1252", "cp1252",
    ]

    /// The characters 0x80 to 0x9F of Windows-1252. Unassigned ones are the control characters of ISO-8859-1.
    private static let special: [UInt32] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    /// The UTF-8 of each byte from 0x80.
    package static let table: [[UInt8]] = (0x80...0xFF).map { byte in
        let scalar = Unicode.Scalar(byte < 0xA0 ? special[byte - 0x80] : UInt32(byte)) ?? "\u{FFFD}"
        return Array(UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter)
    }

    /// Appends the UTF-8 of text in Windows-1252.
    static func decode(_ bytes: some Sequence<UInt8>, to text: inout [UInt8]) {
        for byte in bytes {
            if byte < 0x80 { text.append(byte) } else { text += table[Int(byte) - 0x80] }
        }
    }

    /// Whether a file that begins with these bytes declares such an encoding.
    package static func isSingleByte(_ head: some Collection<UInt8>) -> Bool {
        let text = String(decoding: head.prefix(length), as: UTF8.self)
        guard text.hasPrefix("<?xml"), let end = text.range(of: "?>"),
            let mark = text.range(of: "encoding", range: text.startIndex..<end.lowerBound)
        else { return false }
        let value = text[mark.upperBound..<end.lowerBound].drop { " \t\r\n=".contains($0) }
        guard let quote = value.first, quote == "\"" || quote == "'" else { return false }
        return names.contains(value.dropFirst().prefix { $0 != quote }.lowercased())
    }
}

/// A file as UTF-8, whatever encoding it declares. A file in UTF-8 is passed through.
package final class DecodingByteSource: DerivedByteSource {
    package let base: any ByteSource
    /// Whether the file is in another encoding; `nil` before its first bytes have been read.
    private var isSingleByte: Bool?
    private var head: [UInt8] = []
    /// Decoded bytes for which there was no room yet.
    private var decoded: [UInt8] = []
    private var position = 0

    package init(_ base: any ByteSource) {
        self.base = base
    }

    package func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard buffer.count > 0 else { return 0 }
        if isSingleByte == nil {
            head = try base.bytes(DeclaredEncoding.length)
            isSingleByte = DeclaredEncoding.isSingleByte(head)
        }
        guard isSingleByte == true else { return try next(into: buffer) }
        if position == decoded.count { try decode(buffer.count) }
        let count = min(buffer.count, decoded.count - position)
        buffer.copyBytes(from: decoded[position..<position + count])
        position += count
        return count
    }

    /// Reads the next bytes as they are: first those that were read to find the encoding.
    private func next(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        guard !head.isEmpty else { return try base.read(into: buffer) }
        let count = min(buffer.count, head.count)
        buffer.copyBytes(from: head[..<count])
        head.removeFirst(count)
        return count
    }

    private func decode(_ count: Int) throws {
        let raw = try [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            filled = try next(into: UnsafeMutableRawBufferPointer(buffer))
        }
        decoded.removeAll(keepingCapacity: true)
        position = 0
        DeclaredEncoding.decode(raw, to: &decoded)
    }
}
