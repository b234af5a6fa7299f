public import Foundation
import HealthCompression
import HealthModel

/// An entry in the central directory of a zip file.
public struct ZipEntry: Hashable, Sendable {
    /// The compression methods that can be read.
    public enum Method: UInt16, Hashable, Sendable {
        /// Not compressed.
        case stored = 0
        /// Compressed with deflate, without a zlib header.
        case deflated = 8
    }

    /// The path in the zip file, with components separated by `/`.
    public var name: String
    /// The raw number of the compression method; see ``method``.
    public var methodNumber: UInt16
    /// The CRC-32 of the uncompressed bytes.
    public var crc: UInt32
    /// The compressed size in bytes.
    public var compressedSize: Int
    /// The uncompressed size in bytes.
    public var size: Int
    /// The offset of the local header in the file.
    public var offset: Int
    /// A Boolean value that indicates whether the entry is encrypted and therefore cannot be read.
    public var isEncrypted: Bool

    /// Creates an entry.
    public init(
        name: String, methodNumber: UInt16, crc: UInt32, compressedSize: Int, size: Int, offset: Int,
        isEncrypted: Bool = false
    ) {
        self.name = name
        self.methodNumber = methodNumber
        self.crc = crc
        self.compressedSize = compressedSize
        self.size = size
        self.offset = offset
        self.isEncrypted = isEncrypted
    }

    /// The compression method; `nil` if it is not supported.
    public var method: Method? { Method(rawValue: methodNumber) }
}

/// The modification time of a zip entry: local time in steps of two seconds, from 1980 to 2107.
public struct ZipTime: Hashable, Sendable {
    /// The two-second steps, minutes and hours, from the lowest bit up.
    public var time: UInt16
    /// The day, month and years since 1980, from the lowest bit up.
    public var date: UInt16

    /// The start of 1980, for files that should not reveal when they were made.
    public static let earliest = ZipTime(time: 0, date: 0x21)

    /// Creates a time from its two fields.
    public init(time: UInt16, date: UInt16) {
        self.time = time
        self.date = date
    }

    /// Creates the local time of an instant in a time zone. A time outside 1980 to 2107 becomes the nearest valid one.
    public init(_ instant: Date, in zone: TimeZone) {
        let seconds = (instant.timeIntervalSinceReferenceDate + Double(zone.secondsFromGMT(for: instant))).rounded(
            .down)
        let earliest = Double(CivilDate.dayNumber(year: 1980, month: 1, day: 1)) * 86_400
        let latest = Double(CivilDate.dayNumber(year: 2108, month: 1, day: 1)) * 86_400 - 1
        let local = Int(min(max(seconds, earliest), latest))
        let day = (local >= 0 ? local : local - 86_399) / 86_400
        let (year, month, dayOfMonth) = CivilDate.date(dayNumber: day)
        let second = local - day * 86_400
        time = UInt16((second / 3_600) << 11 | (second / 60 % 60) << 5 | second % 60 / 2)
        date = UInt16((year - 1980) << 9 | month << 5 | dayOfMonth)
    }
}

/// An error in the bytes of a zip file. The description continues “the zip file is damaged: …”.
public struct ZipError: Error, Hashable, Sendable, CustomStringConvertible {
    public var description: String
    /// What the file is that can’t be read here although nothing is damaged, as the end of a sentence.
    var obstacle: String?

    /// Creates an error with the end of that sentence.
    public init(_ description: String) {
        self.description = description
    }

    static func encrypted(_ entry: String) -> ZipError {
        var error = ZipError("the entry “\(entry)” is encrypted")
        error.obstacle = "is protected with a password"
        return error
    }

    /// Windows compresses large files with Deflate64.
    static func unsupported(_ method: UInt16, _ entry: String) -> ZipError {
        guard method != 99 else { return encrypted(entry) }
        let names: [UInt16: String] = [9: "Deflate64", 12: "bzip2", 14: "LZMA", 93: "Zstandard", 95: "XZ", 98: "PPMd"]
        let name = names[method] ?? "method \(method)"
        var error = ZipError("the entry “\(entry)” is compressed with \(name)")
        error.obstacle = "is compressed with \(name), which is not supported"
        return error
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

    /// Appends a number, least significant byte first.
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
