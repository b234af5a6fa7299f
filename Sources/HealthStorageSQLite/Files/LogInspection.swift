import Foundation
import HealthStorage

/// The search of a log that a killed program has left for bytes that aren't what was written.
///
/// SQLite takes the first frame whose checksums don't fit for the end of what had reached the disk, and leaves out all
/// commits from there. After a loss of power, that is right: each commit is synced before the next one is written, so
/// only the last one can be torn. It is wrong, and the log is damaged, if a single bit explains the frame and a commit
/// depends on it, or a whole commit and what was written after it are behind the frame. Frames of a transaction that
/// was rolled back belong to none.
///
/// In a log that isn't encrypted, the checksums don't always tell which bit it was: those of the highest bits of two
/// words can be the same.
///
/// The format and its checksums: https://www.sqlite.org/fileformat2.html#the_write_ahead_log
struct LogInspection {
    /// Bytes that aren't what was written.
    struct Damage: Hashable {
        /// The number of the frame, from 1; 0 for the header of the log.
        var frame: Int64
        /// The only bit of the file that was flipped, counted from its beginning; `nil` if it can be one of several, or
        /// more is damaged.
        var bit: Int64?
    }

    /// Reads bytes of the file as they are on the disk, and returns `false` if they aren't there.
    let read: (UnsafeMutableRawPointer, Int64, Int64) -> Bool
    /// How an encrypted store is decrypted.
    let cipher: LogCipher?

    static let headerSize: Int64 = 32
    static let frameHeaderSize: Int64 = 24
    private static let frameSize = frameHeaderSize + StoreFile.pageSize

    /// Where a frame begins.
    static func offset(ofFrame number: Int64) -> Int64 { headerSize + (number - 1) * frameSize }

    /// The first damage; `nil` if the log ends where SQLite takes it to end.
    func firstDamage() -> Damage? {
        guard let bytes = bytes(Self.headerSize, at: 0) else { return nil }
        guard let header = Header(bytes) else {
            guard let bit = Self.bit(of: bytes, in: 0..<bytes.count, { Header($0) != nil }),
                let mended = Header(bytes.flipping(bit)), hasCommit(from: 1, after: mended.sums, mended)
            else { return nil }
            return Damage(frame: 0, bit: Int64(bit))
        }
        var (number, sums): (Int64, Sums) = (1, header.sums)
        while let frame = frame(number) {
            guard frame.follows(sums, header) else { return damage(of: frame, number, after: sums, header) }
            sums = frame.sums
            number += 1
        }
        return nil
    }

    private func damage(of frame: Frame, _ number: Int64, after sums: Sums, _ header: Header) -> Damage? {
        let found = flippedBits(of: frame, number, after: sums, header)
        if let first = found.first,
            found.contains(where: \.frame.isCommit) || hasCommit(from: number + 1, after: first.frame.sums, header)
        {
            return Damage(
                frame: number, bit: found.count == 1 ? Self.offset(ofFrame: number) * 8 + Int64(first.bit) : nil)
        }
        return hasCommit(behind: frame, number, header) ? Damage(frame: number, bit: nil) : nil
    }

    /// Whether frames that follow each other, from one with a number on, contain the end of a commit.
    private func hasCommit(from first: Int64, after sums: Sums, _ header: Header) -> Bool {
        var (number, sums) = (first, sums)
        while let frame = frame(number), frame.follows(sums, header) {
            if frame.isCommit { return true }
            (number, sums) = (number + 1, frame.sums)
        }
        return false
    }

    /// Puts the flipped bits of a closed log right, and cuts the log where more is damaged.
    ///
    /// Returns the first frame that was lost, and the number of commits that can have ended there or behind it; `nil`
    /// if none was. Throws `StorageError` `.unreachable` and `.inputOutput` if the log can't be written.
    static func repair(_ log: String, cipher: LogCipher?) throws -> (frame: Int64, commits: Int)? {
        guard FileManager.default.fileExists(atPath: log) else { return nil }
        let file = try SystemFile(log, isWritten: true)
        let inspection = LogInspection(
            read: { target, count, offset in
                guard let bytes = try? file.read(count: Int(count), at: Int(offset)), bytes.count == count else {
                    return false
                }
                UnsafeMutableRawBufferPointer(start: target, count: bytes.count).copyBytes(from: bytes)
                return true
            }, cipher: cipher)
        while let damage = inspection.firstDamage() {
            guard let bit = damage.bit else {
                let commits = inspection.commits(from: damage.frame)
                guard Foundation.truncate(log, off_t(offset(ofFrame: damage.frame))) == 0 else {
                    throw StorageError(.inputOutput, "\(log) can’t be cut.")
                }
                return (damage.frame, commits)
            }
            let byte = try file.read(count: 1, at: Int(bit / 8))
            try file.write(byte.map { $0 ^ 1 << UInt8(bit % 8) }, at: Int(bit / 8))
        }
        return nil
    }

    private func commits(from first: Int64) -> Int {
        guard let header = bytes(Self.headerSize, at: 0).flatMap(Header.init) else { return 0 }
        var (number, commits) = (first, 0)
        while let frame = frame(number) {
            if frame.salts == header.salts, frame.isCommit { commits += 1 }
            number += 1
        }
        return commits
    }

    /// Whether frames that follow each other, behind one that is damaged, contain the end of a commit and something
    /// after it.
    private func hasCommit(behind damaged: Frame, _ number: Int64, _ header: Header) -> Bool {
        var (former, number, isCommitted) = (damaged.salts == header.salts ? damaged.sums : nil, number + 1, false)
        // Of frames of former logs, only the header is read.
        while let salts = salts(ofFrame: number) {
            if salts == header.salts, let frame = frame(number) {
                let follows = former.map { frame.follows($0, header) } ?? false
                if follows, isCommitted { return true }
                isCommitted = follows && frame.isCommit
                former = frame.sums
            } else {
                (former, isCommitted) = (nil, false)
            }
            number += 1
        }
        return false
    }

    // MARK: Flipped bits

    /// A frame that is what was written, but for a bit that was flipped, counted from the beginning of the frame.
    private typealias Mended = (bit: Int, frame: Frame)

    /// The bits of a frame of which one can have been flipped, each with the frame as it was then.
    private func flippedBits(of frame: Frame, _ number: Int64, after sums: Sums, _ header: Header) -> [Mended] {
        func mended(_ bits: [Int]) -> [Mended] { bits.map { ($0, Frame(frame.bytes.flipping($0))) } }
        let ofHeader = 8..<Int(Self.frameHeaderSize)
        guard let cipher else {
            return mended(
                frame.flippedBits(after: sums, header)
                    + [Self.bit(of: frame.bytes, in: ofHeader) { Frame($0).follows(sums, header) }].compactMap { $0 })
        }
        if frame.salts == header.salts, frame.isOpen {
            // The page is what was written, and the first 8 bytes aren't encrypted.
            return mended(frame.flippedBits(after: sums, header).filter { $0 < 64 })
        }
        guard let bytes = bytes(Self.frameSize, at: Self.offset(ofFrame: number)) else { return [] }
        // A flipped bit changes all of the block with the salts and the checksums.
        let isOfPage = frame.salts == header.salts
        guard isOfPage || frame.isOpen else { return [] }
        func opened(_ bytes: [UInt8]) -> Frame {
            let found = Self.open(bytes, number, cipher, readsPage: isOfPage)
            return isOfPage ? found : frame.with(found)
        }
        let bit = Self.bit(of: bytes, in: isOfPage ? Int(Self.frameHeaderSize)..<bytes.count : ofHeader) {
            // Most of the time, the salts tell.
            let found = opened($0)
            return found.salts == header.salts && found.follows(sums, header)
        }
        return bit.map { [($0, opened(bytes.flipping($0)))] } ?? []
    }

    /// The first bit whose change makes bytes sound.
    private static func bit(of bytes: [UInt8], in range: Range<Int>, _ isSound: ([UInt8]) -> Bool) -> Int? {
        var bytes = bytes
        for place in range {
            for bit in 0..<8 {
                bytes[place] ^= 1 << UInt8(bit)
                defer { bytes[place] ^= 1 << UInt8(bit) }
                if isSound(bytes) { return place * 8 + bit }
            }
        }
        return nil
    }

    // MARK: Reading

    private func bytes(_ count: Int64, at offset: Int64) -> [UInt8]? {
        var bytes = [UInt8](repeating: 0, count: Int(count))
        return bytes.withUnsafeMutableBytes { read($0.baseAddress!, count, offset) } ? bytes : nil
    }

    private func frame(_ number: Int64) -> Frame? {
        guard let bytes = bytes(Self.frameSize, at: Self.offset(ofFrame: number)) else { return nil }
        return cipher.map { Self.open(bytes, number, $0) } ?? Frame(bytes)
    }

    /// The salts in the header of a frame.
    private func salts(ofFrame number: Int64) -> UInt64? {
        guard var bytes = bytes(Self.frameHeaderSize, at: Self.offset(ofFrame: number)) else { return nil }
        if let cipher {
            var block = Array(bytes[8...])
            cipher.decryptHeader(&block)
            bytes.replaceSubrange(8..., with: block)
        }
        return Frame(bytes).salts
    }

    private static func open(_ bytes: [UInt8], _ number: Int64, _ cipher: LogCipher, readsPage: Bool = true) -> Frame {
        var bytes = bytes
        let start = Int(frameHeaderSize)
        var block = Array(bytes[8..<start])
        cipher.decryptHeader(&block)
        bytes.replaceSubrange(8..<start, with: block)
        guard readsPage else { return Frame(bytes) }
        var (sealed, page) = (Array(bytes[start...]), [UInt8](repeating: 0, count: Int(StoreFile.pageSize)))
        let isOpen = sealed.withUnsafeMutableBytes { sealed in
            page.withUnsafeMutableBytes { cipher.decryptPage(sealed.baseAddress!, $0.baseAddress!, number) }
        }
        bytes.replaceSubrange(start..., with: page)
        return Frame(bytes, isOpen: isOpen)
    }
}

extension [UInt8] {
    /// The same bytes but for a bit, counted from the beginning.
    fileprivate func flipping(_ bit: Int) -> [UInt8] {
        var bytes = self
        bytes[bit / 8] ^= 1 << UInt8(bit % 8)
        return bytes
    }
}

/// How the frames of an encrypted store's log are decrypted.
struct LogCipher {
    /// Decrypts the 16 bytes of a frame's header behind the first 8.
    var decryptHeader: (inout [UInt8]) -> Void
    /// Decrypts the page of the frame with a number into other memory, and returns `false` if it isn't what was
    /// written.
    var decryptPage: (UnsafeMutableRawPointer, UnsafeMutableRawPointer, Int64) -> Bool
}

/// The two checksums of a log up to one of its frames.
private struct Sums: Hashable {
    var (first, second): (UInt32, UInt32) = (0, 0)

    /// Adds pairs of words.
    mutating func add(_ bytes: UnsafeRawBufferPointer, isBigEndian: Bool) {
        for place in stride(from: 0, to: bytes.count, by: 8) {
            first &+= Self.word(bytes, place, isBigEndian) &+ second
            second &+= Self.word(bytes, place + 4, isBigEndian) &+ first
        }
    }

    static func word(_ bytes: UnsafeRawBufferPointer, _ place: Int, _ isBigEndian: Bool) -> UInt32 {
        let word = bytes.loadUnaligned(fromByteOffset: place, as: UInt32.self)
        return isBigEndian ? UInt32(bigEndian: word) : UInt32(littleEndian: word)
    }
}

/// The header of a log that is sound.
private struct Header {
    let salts: UInt64
    let sums: Sums
    /// The order of bytes in the words that are summed, that of the machine that has created the log.
    let isBigEndian: Bool

    init?(_ bytes: [UInt8]) {
        let found: (salts: UInt64, sums: Sums, isBigEndian: Bool)? = bytes.withUnsafeBytes { bytes in
            func number(_ place: Int) -> UInt32 { Sums.word(bytes, place, true) }
            guard number(0) & ~1 == 0x377F_0682, number(8) == UInt32(StoreFile.pageSize) else { return nil }
            var sums = Sums()
            let isBigEndian = number(0) & 1 == 1
            sums.add(UnsafeRawBufferPointer(rebasing: bytes[0..<24]), isBigEndian: isBigEndian)
            guard sums == Sums(first: number(24), second: number(28)) else { return nil }
            return (bytes.loadUnaligned(fromByteOffset: 16, as: UInt64.self), sums, isBigEndian)
        }
        guard let found else { return nil }
        (salts, sums, isBigEndian) = found
    }
}

/// A frame of a log: a header and a page.
private struct Frame {
    /// The bytes, decrypted.
    var bytes: [UInt8]
    /// Whether the page could be decrypted.
    var isOpen = true

    init(_ bytes: [UInt8], isOpen: Bool = true) {
        (self.bytes, self.isOpen) = (bytes, isOpen)
    }

    /// This frame with the header of another one.
    func with(_ other: Frame) -> Frame {
        let size = Int(LogInspection.frameHeaderSize)
        return Frame(Array(other.bytes[..<size] + bytes[size...]), isOpen: isOpen)
    }

    private func number(_ place: Int) -> UInt32 { bytes.withUnsafeBytes { Sums.word($0, place, true) } }
    /// Whether it is the last one of a commit, which has the size of the database after it.
    var isCommit: Bool { number(4) != 0 }
    var salts: UInt64 { bytes.withUnsafeBytes { $0.loadUnaligned(fromByteOffset: 8, as: UInt64.self) } }
    /// The checksums up to this frame, as they are stored.
    var sums: Sums { Sums(first: number(16), second: number(20)) }

    private func sums(after former: Sums, _ header: Header) -> Sums {
        var sums = former
        bytes.withUnsafeBytes { bytes in
            sums.add(UnsafeRawBufferPointer(rebasing: bytes[..<8]), isBigEndian: header.isBigEndian)
            sums.add(
                UnsafeRawBufferPointer(rebasing: bytes[Int(LogInspection.frameHeaderSize)...]),
                isBigEndian: header.isBigEndian)
        }
        return sums
    }

    /// Whether this is the frame that was written after the one with these checksums.
    func follows(_ former: Sums, _ header: Header) -> Bool {
        isOpen && number(0) != 0 && salts == header.salts && sums == sums(after: former, header)
    }

    /// The bits of what is summed of which one can have been flipped.
    ///
    /// The sums are linear: a change of a word changes each of them by a factor that depends only on the place of the
    /// word.
    func flippedBits(after former: Sums, _ header: Header) -> [Int] {
        guard salts == header.salts else { return [] }
        var found: [Int] = []
        let (computed, stored) = (sums(after: former, header), sums)
        let difference = Sums(first: stored.first &- computed.first, second: stored.second &- computed.second)
        let start = Int(LogInspection.frameHeaderSize)
        // The effect of a pair's first and second word on both sums, from the last pair to the first.
        var effects = [(UInt32(1), UInt32(1)), (UInt32(0), UInt32(1))]
        for place in ([0] + Array(stride(from: start, to: bytes.count, by: 8))).reversed() {
            for (half, effect) in effects.enumerated() {
                let word = bytes.withUnsafeBytes { Sums.word($0, place + 4 * half, header.isBigEndian) }
                for bit in 0..<32 {
                    let change: UInt32 = word >> bit & 1 == 1 ? 0 &- 1 << bit : 1 << bit
                    guard change &* effect.0 == difference.first, change &* effect.1 == difference.second else {
                        continue
                    }
                    let byte = header.isBigEndian ? 3 - bit / 8 : bit / 8
                    found.append((place + 4 * half + byte) * 8 + bit % 8)
                }
            }
            effects = effects.map { ($0.0 &+ $0.1, $0.0 &+ 2 &* $0.1) }
        }
        return found
    }
}
