import Foundation
import GRDB
import HealthEncryption
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageSQLite

/// Damage of a log that a killed program has left, which SQLite takes for its end.
@Suite struct LogInspectionTests {
    private static let frameSize = 4_120
    private static let commits = 4

    /// A store and its log as a program leaves them that is killed.
    private struct KilledStore {
        let store: TemporaryStore
        let options: SQLiteOptions
        let isEncrypted: Bool
        /// The file and the log.
        let (file, log): ([UInt8], [UInt8])
        /// The length of the log after each commit.
        let ends: [Int]

        init(isEncrypted: Bool) throws {
            let encrypted = try EncryptedStore()
            self.isEncrypted = isEncrypted
            options = isEncrypted ? encrypted.options : SQLiteOptions()
            store = encrypted.store
            let storage = try store.open(options)
            var ends: [Int] = []
            for number in 1...LogInspectionTests.commits {
                try Rows.write(number, to: storage)
                ends.append(try encrypted.bytes("health.sqlite-wal").count)
            }
            (file, log) = (try encrypted.bytes(), try encrypted.bytes("health.sqlite-wal"))
            self.ends = ends
            try storage.close()
        }

        var path: String { store.path("killed.sqlite") }

        /// Writes the store with another log, and opens it as the next program.
        func open(_ log: [UInt8]) throws -> SQLiteStorage {
            unlink(path + "-shm")
            try Data(file).write(to: URL(fileURLWithPath: path))
            try Data(log).write(to: URL(fileURLWithPath: path + "-wal"))
            return try SQLiteStorage(path: path, options: options)
        }

        /// The number of commits that are read.
        func read(_ log: [UInt8]) throws -> Int {
            let storage = try open(log)
            defer { try? storage.close() }
            return try Rows.lastWrite(in: storage)
        }

        /// The number of commits that are read after a repair of the log.
        func repair() throws -> (lost: (frame: Int64, commits: Int)?, commits: Int) {
            let access = try EncryptedAccess.open(path, options.encryption)
            let lost = try LogInspection.repair(path + "-wal", cipher: access?.logCipher)
            unlink(path + "-shm")
            let storage = try SQLiteStorage(path: path, options: options)
            defer { try? storage.close() }
            return (lost, try Rows.lastWrite(in: storage))
        }

        func expected(frame: Int) -> StorageError {
            let part = frame == 0 ? "The header" : "Frame \(frame)"
            return StorageError(.damaged, "\(part) of the log \(path)-wal isn’t what was written.")
        }
    }

    @Test(
        "A flipped bit of any part is an error that names the frame, and is put right if it is certain",
        arguments: [false, true])
    func flippedBits(isEncrypted: Bool) throws {
        let killed = try KilledStore(isEncrypted: isEncrypted)
        #expect(try killed.read(killed.log) == Self.commits)
        let seed: UInt64 = 20_261_123
        var random = SplitMix64(seed: seed)
        let frames = (killed.log.count - 32) / Self.frameSize
        #expect(frames > 20)
        // The header, and of each frame once its header and once its page.
        var places = [0..<8, 16..<24, 24..<32]
        for frame in stride(from: 0, to: frames, by: 4) {
            let start = 32 + frame * Self.frameSize
            places += [start..<start + 8, start + 8..<start + 24, start + 24..<start + Self.frameSize]
        }
        var corrected = 0
        for range in places {
            let place = Int.random(in: range, using: &random)
            var log = killed.log
            log[place] ^= 1 << UInt8.random(in: 0..<8, using: &random)
            let frame = place < 32 ? 0 : (place - 32) / Self.frameSize + 1
            #expect(throws: killed.expected(frame: frame), "seed \(seed), byte \(place) of \(killed.log.count)") {
                try killed.read(log)
            }
            let repaired = try killed.repair()
            if let lost = repaired.lost {
                // Which bit it was isn't certain.
                #expect(!isEncrypted && lost.frame == Int64(frame), "seed \(seed), byte \(place)")
                #expect(
                    repaired.commits
                        == killed.ends.filter { $0 <= Int(LogInspection.offset(ofFrame: lost.frame)) }.count)
            } else {
                #expect(repaired.commits == Self.commits, "seed \(seed), byte \(place)")
                corrected += 1
            }
        }
        print("\(places.count) flipped bits in \(frames) frames, \(corrected) put right; seed \(seed).")
        #expect(corrected * 2 > places.count)
    }

    @Test("A log that was refused stays as it is", arguments: [false, true])
    func refusal(isEncrypted: Bool) throws {
        let killed = try KilledStore(isEncrypted: isEncrypted)
        var log = killed.log
        log[32 + 3 * Self.frameSize + 1_000] ^= 4
        for _ in 0..<2 {
            #expect(throws: killed.expected(frame: 4)) { try killed.read(log) }
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: killed.path + "-wal"))) == log)
            #expect(try [UInt8](Data(contentsOf: URL(fileURLWithPath: killed.path))) == killed.file)
        }
    }

    @Test(
        "More damage before the last commit is an error, and costs the commits from there on", arguments: [false, true])
    func damagedSectors(isEncrypted: Bool) throws {
        let killed = try KilledStore(isEncrypted: isEncrypted)
        for commit in 1..<Self.commits - 1 {
            // The last frame of the commit before is followed by the first of this one.
            let frame = (killed.ends[commit - 1] - 32) / Self.frameSize
            var log = killed.log
            for place in 0..<512 { log[32 + frame * Self.frameSize + 1_000 + place] ^= 0x55 }
            #expect(throws: killed.expected(frame: frame + 1)) { try killed.read(log) }
            let repaired = try killed.repair()
            #expect(repaired.lost?.frame == Int64(frame + 1) && repaired.lost?.commits == Self.commits - commit)
            #expect(repaired.commits == commit)
        }
    }

    @Test("What a loss of power leaves of the last commit is no damage", arguments: [false, true])
    func tornCommits(isEncrypted: Bool) throws {
        let killed = try KilledStore(isEncrypted: isEncrypted)
        let seed: UInt64 = 7
        var random = SplitMix64(seed: seed)
        let last = killed.ends[Self.commits - 2]..<killed.log.count
        for round in 0..<20 {
            var log = killed.log
            // Some sectors of the last commit didn't reach the disk.
            let sectors = (last.lowerBound / 512 + 1)..<(last.upperBound / 512)
            var isTorn = false
            for sector in sectors where Int.random(in: 0..<3, using: &random) == 0 {
                isTorn = true
                for place in sector * 512..<(sector + 1) * 512 {
                    log[place] = UInt8.random(in: 0...255, using: &random)
                }
            }
            // Or it ends early, anywhere.
            if round % 2 == 0 { log.removeLast(Int.random(in: 1..<last.count, using: &random)) }
            #expect(
                try killed.read(log) == (isTorn || round % 2 == 0 ? Self.commits - 1 : Self.commits),
                "seed \(seed), round \(round)")
        }
    }

    @Test("Frames that belong to no commit may have any bit", arguments: [false, true])
    func unfinishedTransactions(isEncrypted: Bool) throws {
        let killed = try KilledStore(isEncrypted: isEncrypted)
        // The last commit lacks its last frame, as if the program had been killed while it wrote them.
        let whole = Array(killed.log.dropLast(Self.frameSize))
        #expect(try killed.read(whole) == Self.commits - 1)
        for place in stride(from: killed.ends[Self.commits - 2], to: whole.count, by: 3_001) {
            var log = whole
            log[place] ^= 8
            #expect(try killed.read(log) == Self.commits - 1, "byte \(place)")
        }
        // Nor does a header matter without a commit.
        var head = Array(killed.log.prefix(32 + Self.frameSize))
        head[20] ^= 1
        let storage = try killed.open(head)
        #expect(throws: Never.self) { try storage.read { _ = try $0.lastSequence() } }
        try? storage.close()
    }

    @Test("Frames of a former log behind the end are no damage", arguments: [false, true])
    func formerFrames(isEncrypted: Bool) throws {
        let encrypted = try EncryptedStore()
        let options = isEncrypted ? encrypted.options : SQLiteOptions()
        let storage = try encrypted.store.open(options)
        for number in 1...8 { try Rows.write(number, to: storage) }
        // The next commit begins the log again, whose file keeps its length.
        _ = try storage.pool.writeWithoutTransaction { try $0.checkpoint(.restart) }
        try Rows.write(9, to: storage)
        for suffix in ["", "-wal"] {
            try FileManager.default.copyItem(
                atPath: storage.path + suffix, toPath: encrypted.store.path("killed.sqlite") + suffix)
        }
        try storage.close()
        let killed = try SQLiteStorage(path: encrypted.store.path("killed.sqlite"), options: options)
        #expect(try Rows.lastWrite(in: killed) == 9)
        try killed.close()
    }
}
