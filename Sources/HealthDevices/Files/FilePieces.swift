import AppleHealthExport
import HealthCompression

/// The bytes of a file in pieces: each call returns the next ones, none at the end.
enum FilePieces {
    private static let size = 1 << 16

    /// The bytes of a source.
    static func reading(_ source: any ByteSource) -> () throws -> [UInt8] {
        {
            do {
                return try [UInt8](unsafeUninitializedCapacity: size) { buffer, filled in
                    filled = try source.readFully(into: UnsafeMutableRawBufferPointer(buffer))
                }
            } catch is ZipError {
                throw DeviceFileError("its entry is damaged")
            } catch {
                throw DeviceFileError("it can’t be read")
            }
        }
    }

    /// The bytes themselves, or those that gzip compressed.
    static func unpacked(_ source: @escaping () throws -> [UInt8]) throws -> () throws -> [UInt8] {
        let first = try source()
        guard GzipHeader.begins(first) else {
            let head = Rest(first[...])
            return { try head.take() ?? source() }
        }
        guard let start = GzipHeader.length(first) else { throw DeviceFileError("its gzip header is damaged") }
        let rest = Rest(first[start...])
        let inflater = Inflater()
        return {
            do {
                return try [UInt8](unsafeUninitializedCapacity: size) { output, count in
                    count = try inflater.read(into: UnsafeMutableRawBufferPointer(output)) { input in
                        if rest.bytes.isEmpty { rest.bytes = try source()[...] }
                        let part = rest.bytes.prefix(input.count)
                        input.copyBytes(from: part)
                        rest.bytes = rest.bytes.dropFirst(part.count)
                        return part.count
                    }
                }
            } catch is InflateError {
                throw DeviceFileError("its gzip data is damaged")
            }
        }
    }

    /// Bytes that were read and are not used yet.
    private final class Rest {
        var bytes: ArraySlice<UInt8>

        init(_ bytes: ArraySlice<UInt8>) {
            self.bytes = bytes
        }

        /// The bytes the first time, then nothing.
        func take() -> [UInt8]? {
            defer { bytes = [] }
            return bytes.isEmpty ? nil : Array(bytes)
        }
    }
}

/// The header before the data of a gzip file.
enum GzipHeader {
    /// Whether bytes are the beginning of a gzip file.
    static func begins(_ bytes: [UInt8]) -> Bool { bytes.starts(with: [0x1F, 0x8B, 8]) }

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
