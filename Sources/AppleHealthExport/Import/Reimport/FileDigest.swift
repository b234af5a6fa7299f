import Dispatch
import Synchronization

/// The digest of a file: a digest of the digests of its blocks, which several threads compute.
enum FileDigest {
    /// The length of a block in bytes; the last block of a file may be shorter.
    static let blockLength = 1 << 20

    /// Reads the whole file on up to eight threads and returns its digest.
    static func text(of file: FileByteSource) throws -> String {
        let size = file.byteCount ?? 0
        let count = (size + blockLength - 1) / blockLength
        let threads = min(count, 8)
        guard threads > 0 else { return text(ofBlocks: []) }
        let results = Mutex<[Result<[String], any Error>?]>(Array(repeating: nil, count: threads))
        let reader = SharedFile(file: file)
        DispatchQueue.concurrentPerform(iterations: threads) { thread in
            let blocks = count * thread / threads..<count * (thread + 1) / threads
            let result = Result { try reader.digests(of: blocks) }
            results.withLock { $0[thread] = result }
        }
        return try text(ofBlocks: results.withLock { try $0.flatMap { try $0?.get() ?? [] } })
    }

    /// Combines the digests of blocks.
    static func text(ofBlocks blocks: [String]) -> String {
        var digest = ByteDigest()
        for block in blocks { Array(block.utf8).withUnsafeBytes { digest.update($0) } }
        return digest.text
    }

    /// A file that several threads read at different offsets.
    // Unchecked: only `read(at:into:count:)` is called, a single system call that changes no shared state.
    private struct SharedFile: @unchecked Sendable {
        let file: FileByteSource

        func digests(of blocks: Range<Int>) throws -> [String] {
            let buffer = UnsafeMutableRawBufferPointer.allocate(byteCount: blockLength, alignment: 64)
            defer { buffer.deallocate() }
            return try blocks.map { block in
                var digest = ByteDigest()
                var filled = 0
                while filled < blockLength {
                    let count = try file.read(
                        at: block * blockLength + filled, into: buffer.baseAddress! + filled,
                        count: blockLength - filled)
                    if count == 0 { break }
                    filled += count
                }
                digest.update(UnsafeRawBufferPointer(rebasing: buffer[..<filled]))
                return digest.text
            }
        }
    }
}

/// A regular file that is digested block by block while it is read.
final class DigestingByteSource: ByteSource {
    let name: String
    let byteCount: Int?
    private let source: FileByteSource
    private var blocks: [String] = []
    private var block = ByteDigest()
    private var filled = 0

    init(_ source: FileByteSource) {
        self.source = source
        name = source.name
        byteCount = source.byteCount
    }

    func read(into buffer: UnsafeMutableRawBufferPointer) throws -> Int {
        let count = try source.read(into: buffer)
        var place = 0
        while place < count {
            let part = min(count - place, FileDigest.blockLength - filled)
            block.update(UnsafeRawBufferPointer(rebasing: buffer[place..<place + part]))
            place += part
            filled += part
            if filled == FileDigest.blockLength { closeBlock() }
        }
        return count
    }

    /// The digest of the file once it has been read to its end; equal to ``FileDigest/text(of:)``.
    var digest: String {
        if filled > 0 { closeBlock() }
        return FileDigest.text(ofBlocks: blocks)
    }

    private func closeBlock() {
        blocks.append(block.text)
        block = ByteDigest()
        filled = 0
    }
}

/// A 128-bit digest of a stream of bytes, computed several times faster than the stream can be read. It is not
/// cryptographic: it distinguishes files that were not made to collide.
///
/// Each of four lanes multiplies sixteen bytes, 64 by 64 bits, and folds the product, so every bit of a block affects
/// every bit of its lane. The digest does not depend on how the stream is split into updates.
struct ByteDigest {
    /// The number of bytes that the four lanes process together.
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

    /// Adds the next bytes of the stream.
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

    /// The digest of the bytes added so far, as 32 hexadecimal digits.
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
