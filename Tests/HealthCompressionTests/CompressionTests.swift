import Foundation
import HealthCompression
import Testing

@Suite("Deflate data")
struct CompressionTests {
    /// Bytes that compress to about a half, by a fixed rule.
    private static func bytes(_ count: Int) -> [UInt8] {
        var state: UInt64 = 7
        return (0..<count).map { _ in
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return UInt8(state >> 60)
        }
    }

    /// The data in inflated form.
    private static func inflated(_ bytes: [UInt8]) throws -> [UInt8] {
        let inflater = Inflater()
        var (rest, result) = (bytes[...], [UInt8]())
        while !inflater.isAtEnd {
            result += try [UInt8](unsafeUninitializedCapacity: 1 << 14) { output, count in
                count = try inflater.read(into: UnsafeMutableRawBufferPointer(output)) { input in
                    let part = rest.prefix(input.count)
                    input.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    return part.count
                }
            }
        }
        return result
    }

    @Test("Data is read back, however it is divided", arguments: [0, 1, 16_384, 300_000])
    func roundTrip(count: Int) throws {
        let bytes = Self.bytes(count)
        let packed = Deflater.deflated(bytes)
        #expect(try Self.inflated(packed) == bytes)
        let inflater = Inflater()
        var (rest, result) = (packed[...] + [1, 2, 3], [UInt8]())
        while !inflater.isAtEnd {
            result += try [UInt8](unsafeUninitializedCapacity: 777) { output, filled in
                filled = try inflater.read(into: UnsafeMutableRawBufferPointer(output)) { input in
                    let part = rest.prefix(501)
                    input.copyBytes(from: part)
                    rest = rest.dropFirst(part.count)
                    return part.count
                }
            }
        }
        #expect(result == bytes)
        #expect(rest.count + inflater.unusedCount == 3)
    }

    @Test("Blocks that are compressed independently form one stream")
    func blocks() throws {
        var packed: [UInt8] = []
        let parts = [Self.bytes(100_000), [], Array("abc".utf8)]
        for part in parts {
            let deflater = Deflater(level: 4)
            part.withUnsafeBytes { deflater.deflate($0, .block) { packed += $0 } }
        }
        // An empty block that is marked as the last.
        packed += [0x03, 0x00]
        #expect(try Self.inflated(packed) == parts.flatMap(\.self))
        let deflater = Deflater()
        var both: [UInt8] = []
        for _ in 0..<2 {
            deflater.reset()
            parts[0].withUnsafeBytes { deflater.deflate($0, .finish) { both += $0 } }
        }
        let half = both.count / 2
        #expect(both[..<half] == both[half...])
    }

    @Test("Data that is cut off or damaged throws what it is")
    func errors() {
        let packed = Deflater.deflated(Self.bytes(50_000))
        for count in [0, 1, packed.count / 2, packed.count - 1] {
            #expect(throws: InflateError.truncated) { try Self.inflated(Array(packed[..<count])) }
        }
        // A block of a type that doesn't exist.
        #expect(throws: InflateError.damaged) { try Self.inflated([0x07]) }
        for place in packed.indices {
            var damaged = packed
            damaged[place] ^= 0x10
            _ = try? Self.inflated(damaged)
        }
    }

    @Test("gzip has a header and the checksum and size of the bytes")
    func gzip() throws {
        let bytes = Self.bytes(1_000)
        let packed = Deflater.deflated(bytes, format: .gzip)
        #expect(Array(packed.prefix(3)) == [0x1F, 0x8B, 8])
        #expect(try Self.inflated(Array(packed.dropFirst(10))) == bytes)
        let checksum = bytes.withUnsafeBytes { CRC32($0) }
        let numbers: [UInt32] = [checksum.value, 1_000]
        let trailer = numbers.flatMap { number -> [UInt8] in
            (0..<4).map { byte in UInt8(truncatingIfNeeded: number >> (byte * 8)) }
        }
        #expect(Array(packed.suffix(8)) == trailer)
    }

    @Test("A checksum is that of all bytes, also if parts are known by theirs only")
    func checksums() {
        let check = Array("123456789".utf8).withUnsafeBytes { CRC32($0) }
        #expect(check.value == 0xCBF4_3926)
        var parts = Array("1234".utf8).withUnsafeBytes { CRC32($0) }
        let rest = Array("56789".utf8).withUnsafeBytes { CRC32($0) }
        var other = parts
        parts.append(rest, count: 5)
        Array("56789".utf8).withUnsafeBytes { other.append($0) }
        #expect(parts == check && other == check)
    }
}
