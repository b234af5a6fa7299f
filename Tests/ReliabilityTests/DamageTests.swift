import Foundation
import HealthBackup
import HealthEngine
import HealthImport
import HealthStorage
import HealthStorageSQLite
import Testing

@Suite("A damaged store") struct DamageTests {
    /// Set for more than the usual number of damaged files.
    private static let rounds = ProcessInfo.processInfo.environment["DAMAGES"].flatMap { Int($0) } ?? 120

    /// Flips a bit of each page in turn, half of them in the page's header and pointers. Returns the page's
    /// index and the byte.
    private static func flipBit(of whole: [UInt8], round: Int, _ random: inout Seeded) -> (
        bytes: [UInt8], page: Int, place: Int
    ) {
        var bytes = whole
        let page = round % (whole.count / 4_096)
        var place = page * 4_096 + (random.next(2) == 0 ? random.next(64) : random.next(4_096))
        // The counters of the first page have no checksum, and don't matter; the record of the log has its own, and is
        // written again. Another byte, then.
        if [24..<28, 40..<44, 72..<100].contains(where: { $0.contains(place) }) { place += 28 }
        bytes[place] ^= 1 << UInt8(random.next(8))
        return (bytes, page, place)
    }

    @Test("A flipped bit in any page is an error or without effect")
    func flippedBits() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let whole = try await store.create()
        let expected = try DamagedStore.answers(store.path("whole.sqlite"))
        #expect(expected.allSatisfy { $0 != nil })
        let seed: UInt64 = 20_261_123
        var random = Seeded(state: seed)
        var (errors, same, readable) = (0, 0, 0)
        for round in 0..<Self.rounds {
            let (bytes, page, place) = Self.flipBit(of: whole, round: round, &random)
            let found = try DamagedStore.answers(store.write(bytes, as: "damaged.sqlite"))
            for (index, (answer, right)) in zip(found, expected).enumerated() where answer != nil && answer != right {
                Issue.record("seed \(seed), round \(round), byte \(place % 4_096) of page \(page + 1): answer \(index)")
            }
            #expect(
                try isFound(store.path("damaged.sqlite")),
                "seed \(seed), round \(round), byte \(place % 4_096) of page \(page + 1)")
            if found == expected {
                same += 1
            } else {
                errors += 1
                if found.contains(where: { $0 != nil }) { readable += 1 }
            }
        }
        print(
            "\(Self.rounds) flipped bits: \(errors) errors, of which \(readable) left other answers, \(same) in pages that no answer is read from; seed \(seed)."
        )
        #expect(errors > 0 && readable > 0)
    }

    @Test("A flipped bit in the log that a killed program has left is an error, or ends the log before it")
    func flippedBitsInTheLog() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let (file, log) = try await store.createKilled()
        let whole = try DamagedStore.answers(store.write(file, log: log, as: "sound.sqlite"))
        #expect(whole.allSatisfy { $0 != nil })
        #expect(try DamagedStore.answers(store.write(file, as: "sound.sqlite")) != whole, "the log has something")
        let seed: UInt64 = 20_261_124
        var random = Seeded(state: seed)
        var (errors, ended) = (0, 0)
        for round in 0..<Self.rounds {
            var bytes = log
            let frame = round % ((log.count - 32) / 4_120 + 1)
            let start = frame == 0 ? 0 : 32 + (frame - 1) * 4_120
            let place =
                frame == 0 ? random.next(32) : start + (random.next(2) == 0 ? random.next(24) : random.next(4_120))
            bytes[place] ^= 1 << UInt8(random.next(8))
            let found = try DamagedStore.answers(store.write(file, log: bytes, as: "damaged.sqlite"))
            if found.allSatisfy({ $0 == nil }) {
                errors += 1
                continue
            }
            // As after a power failure that tore the frame.
            let expected = try DamagedStore.answers(
                store.write(file, log: Array(log.prefix(start)), as: "torn.sqlite"))
            #expect(frame > 0 && found == expected, "seed \(seed), round \(round), byte \(place) of the log")
            ended += 1
        }
        print("\(Self.rounds) flipped bits of a log: \(errors) errors, \(ended) ended it; seed \(seed).")
        #expect(errors > 0 && ended > 0)
    }

    @Test("Repairing keeps what can be kept: every sample and object of the repaired store is one of the original")
    func repairs() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let whole = try await store.create()
        let original = Set(try DamagedStore.rows(store.path("whole.sqlite")))
        let seed: UInt64 = 7
        var random = Seeded(state: seed)
        var (repaired, given, kept) = (0, 0, 0)
        for round in 0..<Self.rounds / 3 {
            var bytes = whole
            let pages = bytes.count / 4_096
            // A page that is overwritten, or several flipped bits.
            if round % 2 == 0 {
                let page = 1 + random.next(pages - 1)
                for offset in 0..<4_096 { bytes[page * 4_096 + offset] = UInt8(random.next(256)) }
            } else {
                for _ in 0..<12 { bytes[4_096 + random.next(bytes.count - 4_096)] ^= 1 << UInt8(random.next(8)) }
            }
            let path = try store.write(bytes, as: "damaged.sqlite")
            guard try isFound(path) else { continue }
            for name in try FileManager.default.contentsOfDirectory(atPath: store.folder.path)
            where name.contains(".damaged-") {
                unlink(store.path(name))
            }
            _ = try store.write(bytes, as: "damaged.sqlite")
            do {
                let report = try StoreRepair.repair(path)
                repaired += 1
                let rows = try DamagedStore.rows(path)
                #expect(Set(rows).isSubset(of: original), "seed \(seed), round \(round)")
                #expect(rows.count == Set(rows).count)
                #expect(
                    rows.count == original.count || !report.losses.isEmpty,
                    "seed \(seed), round \(round): \(original.count - rows.count) lost")
                #expect(report.samples + report.objects == rows.count)
                kept += rows.count
                let engine = try HealthEngine(storage: SQLiteStorage(path: path))
                #expect(try engine.storage.findDamage() + engine.check() == [])
                try engine.close()
                #expect(FileManager.default.fileExists(atPath: report.damagedPath))
            } catch let error as StorageError {
                given += 1
                #expect([.damaged, .notAStore, .inputOutput].contains(error.kind), "\(error)")
            } catch let error as BackupError {
                given += 1
                #expect(error.kind == .damaged, "\(error)")
            }
        }
        print(
            "\(repaired) stores repaired, which kept \(kept * 100 / max(1, repaired * original.count)) % of everything; \(given) could not be; seed \(seed)."
        )
        #expect(repaired > given)
    }

    @Test("A file cut at any byte is an error or a store that gives no wrong answer")
    func cutFiles() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let whole = try await store.create()
        let expected = try DamagedStore.answers(store.path("whole.sqlite"))
        var random = Seeded(state: 3)
        var errors = 0
        for round in 0..<Self.rounds / 2 {
            let length =
                round == 0 ? 1 : round % 3 == 0 ? random.next(whole.count / 4_096) * 4_096 : random.next(whole.count)
            guard length > 0 else { continue }
            let path = try store.write(Array(whole.prefix(length)), as: "cut.sqlite")
            let found = try DamagedStore.answers(path)
            for (answer, right) in zip(found, expected) where answer != nil && answer != right {
                #expect(try isFound(path), "cut at \(length)")
            }
            if found.contains(nil) { errors += 1 }
        }
        #expect(errors > 10)
    }

    @Test("Without its last pages, the rest of a store is read, and kept by a repair")
    func missingPages() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let whole = try await store.create()
        let expected = try DamagedStore.answers(store.path("whole.sqlite"))
        let original = Set(try DamagedStore.rows(store.path("whole.sqlite")))
        for count in [1, 3, 8] {
            let path = try store.write(Array(whole.dropLast(count * 4_096)), as: "cut.sqlite")
            let found = try DamagedStore.answers(path)
            #expect(zip(found, expected).allSatisfy { $0 == nil || $0 == $1 })
            #expect(found.contains { $0 != nil }, "\(count) pages")
            let storage = try SQLiteStorage(path: path)
            let pages = try storage.findDamage()
            #expect(pages.count == count && pages[0].contains("age \(whole.count / 4_096 - count + 1) "), "\(pages)")
            try storage.close()
            let report = try StoreRepair.repair(path)
            let rows = try DamagedStore.rows(path)
            #expect(
                Set(rows).isSubset(of: original) && rows.count * 2 > original.count,
                "\(rows.count) of \(original.count)")
            #expect(rows.count == original.count || !report.losses.isEmpty)
            unlink(report.damagedPath)
        }
    }

    @Test("A damaged page of the database's schema loses nothing")
    func schema() async throws {
        let store = try DamagedStore()
        defer { store.remove() }
        let whole = try await store.create()
        let original = Set(try DamagedStore.rows(store.path("whole.sqlite")))
        // The root of the schema's tree is on the first page, and has children.
        func number(_ count: Int, at offset: Int) -> Int {
            whole[offset..<offset + count].reduce(0) { $0 << 8 | Int($1) }
        }
        #expect(whole[100] == 5)
        let children =
            (0..<number(2, at: 103)).map { number(4, at: number(2, at: 112 + 2 * $0)) } + [number(4, at: 108)]
        for child in children {
            var bytes = whole
            for place in (child - 1) * 4_096..<child * 4_096 { bytes[place] ^= 0xA5 }
            let path = try store.write(bytes, as: "damaged.sqlite")
            #expect(throws: StorageError.self) { try SQLiteStorage(path: path) }
            let report = try StoreRepair.repair(path)
            #expect(try report.losses == [] && Set(DamagedStore.rows(path)) == original)
            unlink(report.damagedPath)
        }
    }

    /// Whether `hk doctor` finds the damage.
    private func isFound(_ path: String) throws -> Bool {
        do {
            let engine = try HealthEngine(storage: SQLiteStorage(path: path))
            defer { try? engine.close() }
            return try !engine.storage.findDamage().isEmpty || !engine.check().isEmpty
        } catch is StorageError {
            return true
        }
    }
}

/// SplitMix64: the same numbers on every run with the same seed.
struct Seeded {
    var state: UInt64

    mutating func next(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(bound))
    }
}
