import HealthFiles

/// One file of a FIT container: what could be read of it, and what is wrong with it.
struct FITFile: Sendable {
    var messages = FITMessages()
    var damages: [FileDamage] = []

    /// Whether bytes begin like a FIT file.
    static func matches(_ head: some Collection<UInt8>) -> Bool {
        let head = Array(head.prefix(FITHeader.shortLength))
        return head.count == FITHeader.shortLength && head.withUnsafeBytes { FITHeader($0, at: 0) != nil }
    }

    /// Reads the files that a container has, in order; none if the bytes don't begin like a FIT file.
    static func files(in bytes: [UInt8]) -> [FITFile] {
        bytes.withUnsafeBytes { bytes in
            var files: [FITFile] = []
            var position = 0
            while let header = FITHeader(bytes, at: position) {
                let (file, next) = read(bytes, header, at: position)
                files.append(file)
                position = next
            }
            if !files.isEmpty, position < bytes.count {
                let rest = bytes.count - position
                files[files.count - 1].damages.append(
                    .init(offset: position, reason: "\(rest) bytes after its end aren’t a FIT file and are left out"))
            }
            return files
        }
    }

    /// Reads a file, and returns it with the place after it.
    private static func read(
        _ bytes: UnsafeRawBufferPointer, _ header: FITHeader, at start: Int
    ) -> (FITFile, next: Int) {
        var file = FITFile()
        let first = min(start + header.length, bytes.count)
        // A device that is switched off while it records leaves a size of 0.
        let end = header.dataSize == 0 ? bytes.count : first + header.dataSize
        let isWhole = header.dataSize > 0 && end + 2 <= bytes.count
        let checksum = isWhole ? UInt16(bytes[end]) | UInt16(bytes[end + 1]) << 8 : 0
        let isRight = isWhole && FITChecksum.value(of: .init(rebasing: bytes[start..<end])) == checksum
        if !header.isIntact {
            // The checksum of the file includes the header. If it is right, the header's own is what is wrong.
            file.damages.append(
                .init(offset: start, reason: "the checksum of its header is wrong", isAnywhere: !isRight))
        }
        if isWhole, !isRight {
            file.damages.append(.init(offset: end, reason: "its checksum is wrong", isAnywhere: true))
        }
        var decoder = FITDecoder(bytes, in: first..<min(end, bytes.count))
        while let message = decoder.next() { file.messages.append(message) }
        file.damages += decoder.damages
        if !isWhole {
            let missing =
                header.dataSize == 0 ? "its end was never written" : "it ends \(end + 2 - bytes.count) bytes early"
            if decoder.isCut { file.damages.removeLast() }
            file.damages.append(.init(offset: decoder.position, reason: "\(missing); what is before was read"))
        }
        return (file, isWhole ? end + 2 : bytes.count)
    }
}

/// The header of a FIT file.
struct FITHeader {
    /// The length of a header without a checksum.
    static let shortLength = 12

    let length: Int
    let dataSize: Int
    /// Whether the header's checksum is right; one of 0 means that there is none.
    let isIntact: Bool

    /// Reads a header; `nil` if there is none at a place.
    init?(_ bytes: UnsafeRawBufferPointer, at start: Int) {
        guard start + Self.shortLength <= bytes.count, bytes[start] >= Self.shortLength,
            bytes[start + 8..<start + 12].elementsEqual(".FIT".utf8)
        else { return nil }
        length = Int(bytes[start])
        dataSize = Int(UInt32(littleEndian: bytes.loadUnaligned(fromByteOffset: start + 4, as: UInt32.self)))
        guard length >= 14, start + 14 <= bytes.count else {
            isIntact = true
            return
        }
        let checksum = UInt16(bytes[start + 12]) | UInt16(bytes[start + 13]) << 8
        isIntact = checksum == 0 || checksum == FITChecksum.value(of: .init(rebasing: bytes[start..<start + 12]))
    }
}

/// The checksum of FIT files, CRC-16 with the polynomial 0xA001.
enum FITChecksum {
    /// The checksum of a byte, and of one that one, two or three zeros follow.
    private static let tables: [UInt16] = {
        var tables: [UInt16] = (0..<256).map { byte in
            (0..<8).reduce(UInt16(byte)) { value, _ in value & 1 == 1 ? value >> 1 ^ 0xA001 : value >> 1 }
        }
        for place in 0..<768 {
            let value = tables[place]
            tables.append(value >> 8 ^ tables[Int(value & 0xFF)])
        }
        return tables
    }()

    static func value(of bytes: UnsafeRawBufferPointer) -> UInt16 {
        tables.withUnsafeBufferPointer { tables in
            var value: UInt16 = 0
            let end = bytes.count & ~3
            // Four at once, which don't wait for each other.
            for place in stride(from: 0, to: end, by: 4) {
                let pair = UInt16(littleEndian: bytes.loadUnaligned(fromByteOffset: place, as: UInt16.self)) ^ value
                let first = tables[768 + Int(pair & 0xFF)]
                let second = tables[512 + Int(pair >> 8)]
                let third = tables[256 + Int(bytes[place + 2])]
                value = first ^ second ^ third ^ tables[Int(bytes[place + 3])]
            }
            for byte in bytes[end...] {
                let index = UInt8(truncatingIfNeeded: value) ^ byte
                value = value >> 8 ^ tables[Int(index)]
            }
            return value
        }
    }
}
