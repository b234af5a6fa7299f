/// The marks and lengths of the zip format (PKWARE APPNOTE 6.3), shared by ``ZipReader`` and ``ZipWriter``.
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
    /// The extra field that holds 64-bit sizes and offsets.
    static let zip64Extra: UInt16 = 1

    static let flagEncrypted: UInt16 = 1 << 0
    static let flagDescriptor: UInt16 = 1 << 3
    static let flagUTF8: UInt16 = 1 << 11
}

extension [UInt8] {
    /// The little-endian number at `offset`. The caller has checked the bounds.
    func littleEndian<Number: FixedWidthInteger>(_ offset: Int, as: Number.Type = Number.self) -> Number {
        withUnsafeBytes { Number(littleEndian: $0.loadUnaligned(fromByteOffset: offset, as: Number.self)) }
    }

    /// Appends a number, least significant byte first.
    mutating func append<Number: FixedWidthInteger>(littleEndian number: Number) {
        Swift.withUnsafeBytes(of: number.littleEndian) { append(contentsOf: $0) }
    }
}
