package import Foundation
import HealthCompression
import HealthModel

/// An entry in the central directory of a zip file.
package struct ZipEntry: Hashable, Sendable {
    /// The compression methods that can be read.
    package enum Method: UInt16, Hashable, Sendable {
        /// Not compressed.
        case stored = 0
        /// Compressed with deflate, without a zlib header.
        case deflated = 8
    }

    /// The path in the zip file, with components separated by `/`.
    package var name: String
    /// The raw number of the compression method; see ``method``.
    package var methodNumber: UInt16
    /// The CRC-32 of the uncompressed bytes.
    package var crc: UInt32
    /// The compressed size in bytes.
    package var compressedSize: Int
    /// The uncompressed size in bytes.
    package var size: Int
    /// The offset of the local header in the file.
    package var offset: Int
    /// A Boolean value that indicates whether the entry is encrypted and therefore cannot be read.
    package var isEncrypted = false

    /// The compression method; `nil` if it is not supported.
    package var method: Method? { Method(rawValue: methodNumber) }
}

/// The modification time of a zip entry: local time in steps of two seconds, from 1980 to 2107.
package struct ZipTime: Hashable, Sendable {
    /// The two-second steps, minutes and hours, from the lowest bit up.
    package var time: UInt16
    /// The day, month and years since 1980, from the lowest bit up.
    package var date: UInt16

    /// The start of 1980, for files that should not reveal when they were made.
    package static let earliest = ZipTime(time: 0, date: 0x21)

    /// Creates a time from its two fields.
    package init(time: UInt16, date: UInt16) {
        self.time = time
        self.date = date
    }

    /// Creates the local time of an instant in a time zone. A time outside 1980 to 2107 becomes the nearest valid one.
    package init(_ instant: Date, in zone: TimeZone) {
        let wall = LocalClock(timeZone: zone).wallSecond(at: instant.timeIntervalSinceReferenceDate)
        let (earliest, end) = (
            CivilDate.second(year: 1980, month: 1, day: 1), CivilDate.second(year: 2108, month: 1, day: 1)
        )
        let (day, second) = CivilDate.split(min(max(wall, earliest), end - 1))
        let (year, month, dayOfMonth) = CivilDate.date(dayNumber: day)
        time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
        date = UInt16((year - 1980) << 9 | month << 5 | dayOfMonth)
    }
}

/// Decodes the name of an entry. The format defines code page 437 and, with bit 11 set, UTF-8; Info-ZIP adds the name
/// in UTF-8 as an extra field; and many tools write UTF-8 without setting the bit.
enum ZipNameText {
    /// The extra field with the name in UTF-8: version 1, checksum of the plain name, name.
    private static let unicodePath: UInt16 = 0x7075

    static func text(_ name: ArraySlice<UInt8>, isFlagged: Bool, extra: [UInt8]) -> String {
        if let text = unicodePath(in: extra, for: name) { return text }
        if isFlagged { return String(decoding: name, as: UTF8.self) }
        return String(validating: name, as: UTF8.self) ?? codePage437(name)
    }

    private static func unicodePath(in extra: [UInt8], for name: ArraySlice<UInt8>) -> String? {
        var position = 0
        while position + 4 <= extra.count {
            let next = position + 4 + Int(extra.littleEndian(position + 2, as: UInt16.self))
            guard next <= extra.count else { return nil }
            if extra.littleEndian(position, as: UInt16.self) == unicodePath, next - position >= 9,
                extra[position + 4] == 1
            {
                let checksum = name.withUnsafeBytes { CRC32($0) }
                guard extra.littleEndian(position + 5, as: UInt32.self) == checksum.value else { return nil }
                return String(validating: extra[(position + 9)..<next], as: UTF8.self)
            }
            position = next
        }
        return nil
    }

    private static func codePage437(_ name: ArraySlice<UInt8>) -> String {
        String(String.UnicodeScalarView(name.map { $0 < 0x80 ? Unicode.Scalar($0) : upperHalf[Int($0) - 0x80] }))
    }

    private static let upperHalf = Array(
        ("ÇüéâäàåçêëèïîìÄÅÉæÆôöòûùÿÖÜ¢£¥₧ƒáíóúñÑªº¿⌐¬½¼¡«»░▒▓│┤╡╢╖╕╣║╗╝╜╛┐"
            + "└┴┬├─┼╞╟╚╔╩╦╠═╬╧╨╤╥╙╘╒╓╫╪┘┌█▄▌▐▀αßΓπΣσµτΦΘΩδ∞φε∩≡±≥≤⌠⌡÷≈°∙·√ⁿ²■\u{A0}").unicodeScalars)
}

/// The signatures and lengths of the zip format (PKWARE APPNOTE 6.3).
enum ZipFormat {
    static let localHeader: UInt32 = 0x0403_4B50
    static let dataDescriptor: UInt32 = 0x0807_4B50
    static let directoryHeader: UInt32 = 0x0201_4B50
    static let end: UInt32 = 0x0605_4B50
    static let zip64End: UInt32 = 0x0606_4B50
    static let zip64Locator: UInt32 = 0x0706_4B50

    static let localHeaderLength = 30
    static let directoryHeaderLength = 46
    static let endLength = 22
    static let zip64EndLength = 56
    static let zip64LocatorLength = 20
    /// The extra field with 64-bit sizes and offsets.
    static let zip64Extra: UInt16 = 1

    static let flagEncrypted: UInt16 = 1 << 0
    static let flagDescriptor: UInt16 = 1 << 3
    static let flagUTF8: UInt16 = 1 << 11
}

extension [UInt8] {
    /// Returns the little-endian number at `offset`, which must be in bounds.
    func littleEndian<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type = Number.self) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    /// Appends numbers, each least significant byte first.
    mutating func append<each Number: FixedWidthInteger>(littleEndian number: repeat each Number) {
        repeat Swift.withUnsafeBytes(of: (each number).littleEndian) { append(contentsOf: $0) }
    }
}
