/// A digest of 128 bits over a stream of bytes, made several times faster than the stream can be read.
/// It tells files apart that were not made to deceive it.
///
/// Four lanes take sixteen bytes each in turn and multiply them, 64 by 64 bits, folding the product; so
/// every bit of a block moves every bit of its lane. However the stream is cut, the digest is the same.
struct ByteDigest {
    /// Bytes all four lanes take together.
    private static let stripe = 64
    // Odd numbers with about as many ones as zeros: digits of π in base 16.
    private static let secrets: (UInt64, UInt64, UInt64, UInt64) = (
        0x243F_6A88_85A3_08D3, 0x1319_8A2E_0370_7345, 0xA409_3822_299F_31D1, 0x082E_FA98_EC4E_6C89
    )

    private var lanes = secrets
    private var tail: [UInt8] = []
    private var count = 0

    init() {
        tail.reserveCapacity(Self.stripe)
    }

    /// Takes the stream's next bytes.
    mutating func update(_ bytes: UnsafeRawBufferPointer) {
        guard var base = bytes.baseAddress, bytes.count > 0 else { return }
        var left = bytes.count
        count += left
        if !tail.isEmpty {
            let taken = min(left, Self.stripe - tail.count)
            tail.append(contentsOf: UnsafeRawBufferPointer(start: base, count: taken))
            base += taken
            left -= taken
            guard tail.count == Self.stripe else { return }
            tail.withUnsafeBytes { Self.mix(&lanes, $0.baseAddress!, stripes: 1) }
            tail.removeAll(keepingCapacity: true)
        }
        let stripes = left / Self.stripe
        Self.mix(&lanes, base, stripes: stripes)
        tail.append(
            contentsOf: UnsafeRawBufferPointer(
                start: base + stripes * Self.stripe, count: left - stripes * Self.stripe))
    }

    /// The digest of what has been taken so far, as 32 hexadecimal digits.
    var text: String {
        var last = lanes
        let padded = tail + Array(repeating: 0, count: Self.stripe - tail.count)
        padded.withUnsafeBytes { Self.mix(&last, $0.baseAddress!, stripes: 1) }
        let length = UInt64(count)
        let high = Self.fold(last.0 ^ length, last.1 ^ Self.secrets.2) ^ Self.fold(last.2, last.3 ^ Self.secrets.0)
        let low = Self.fold(last.0 ^ Self.secrets.3, last.2 ^ length) ^ Self.fold(last.1, last.3 ^ Self.secrets.1)
        return Self.hexadecimal(high) + Self.hexadecimal(low)
    }

    private static func hexadecimal(_ number: UInt64) -> String {
        let digits = String(number, radix: 16)
        return String(repeating: "0", count: 16 - digits.count) + digits
    }

    @inline(__always)
    private static func fold(_ left: UInt64, _ right: UInt64) -> UInt64 {
        let product = left.multipliedFullWidth(by: right)
        return product.high ^ product.low
    }

    private static func mix(
        _ lanes: inout (UInt64, UInt64, UInt64, UInt64), _ base: UnsafeRawPointer, stripes: Int
    ) {
        func word(_ offset: Int) -> UInt64 {
            UInt64(littleEndian: base.loadUnaligned(fromByteOffset: offset, as: UInt64.self))
        }
        var (lane0, lane1, lane2, lane3) = lanes
        let (secret0, secret1, secret2, secret3) = secrets
        var offset = 0
        for _ in 0..<stripes {
            // The lane is added once more, so that a factor of zero does not wipe it out.
            lane0 = fold(word(offset) ^ secret0, word(offset + 8) ^ lane0) &+ lane0
            lane1 = fold(word(offset + 16) ^ secret1, word(offset + 24) ^ lane1) &+ lane1
            lane2 = fold(word(offset + 32) ^ secret2, word(offset + 40) ^ lane2) &+ lane2
            lane3 = fold(word(offset + 48) ^ secret3, word(offset + 56) ^ lane3) &+ lane3
            offset += stripe
        }
        lanes = (lane0, lane1, lane2, lane3)
    }
}
