import Foundation
import GRDB
import HealthModel
import HealthStorage
import HealthTesting
import Testing

@testable import HealthStorageSQLite

@Suite("Links are stored in runs")
struct SQLiteLinkTests {
    let store: TemporaryStore

    init() throws {
        store = try TemporaryStore()
    }

    private static func link(_ owner: Int64, _ member: Int64, ownerType: UInt32 = 79, memberType: UInt32 = 5)
        -> StoredLink
    {
        StoredLink(
            owner: owner, ownerType: TypeCode(rawValue: ownerType), member: member,
            memberType: TypeCode(rawValue: memberType))
    }

    private func links(ofOwner owner: Int64, in storage: any HealthStorage) throws -> [StoredLink] {
        try storage.read { try $0.links(ofOwner: owner) }
    }

    private func links(ofMember member: Int64, in storage: any HealthStorage) throws -> [StoredLink] {
        try storage.read { try $0.links(ofMember: member) }
    }

    private func members(of memberType: UInt32, in storage: any HealthStorage) throws -> [Int64] {
        try storage.read {
            try $0.linkedMembers(of: TypeCode(rawValue: memberType), ownerType: TypeCode(rawValue: 79))
        }
    }

    private func rowCount(_ storage: SQLiteStorage) throws -> Int {
        try storage.writer.read { try Int.fetchOne($0, sql: "SELECT count(*) FROM link_run") ?? -1 }
    }

    @Test func aWorkoutNeedsOneRowFor4096ConsecutiveMembers() throws {
        let storage = try store.open()
        try storage.write { try $0.addLinks((1...10_000).map { Self.link(20_000, $0) }) }
        #expect(try rowCount(storage) == 3)
        #expect(try links(ofOwner: 20_000, in: storage) == (1...10_000).map { Self.link(20_000, $0) })
        for member: Int64 in [1, 4_096, 4_097, 8_192, 8_193, 10_000] {
            #expect(try links(ofMember: member, in: storage) == [Self.link(20_000, member)])
        }
        #expect(try links(ofMember: 10_001, in: storage).isEmpty)
        #expect(try links(ofMember: .min, in: storage).isEmpty)
        // Added one by one, as a builder does, they are joined.
        try storage.write { transaction in
            for member: Int64 in 30_001...30_100 { try transaction.addLink(Self.link(40_000, member)) }
        }
        #expect(try rowCount(storage) == 4)
    }

    /// Random changes of few objects, whose members often follow each other, agree with the store in memory.
    @Test(arguments: [11, 12, 13, 14] as [UInt64])
    func agreesWithTheStoreInMemory(seed: UInt64) throws {
        print("seed \(seed)")
        var random = SplitMix64(seed: seed)
        let (sqlite, memory) = (try store.open(), InMemoryStorage())
        let members: ClosedRange<Int64> = 1...90
        let owners: ClosedRange<Int64> = 100...103
        for step in 0..<120 {
            let owner = Int64.random(in: owners, using: &random)
            let (member, other) = (Int64.random(in: members, using: &random), Int64.random(in: members, using: &random))
            let kind = Int.random(in: 0..<6, using: &random)
            let memberType = UInt32.random(in: 5...6, using: &random)
            func change(_ transaction: any StorageTransaction) throws {
                switch kind {
                case 0, 1:
                    let links = (min(member, other)...max(member, other)).map {
                        Self.link(owner, $0, memberType: memberType)
                    }
                    try transaction.addLinks(kind == 0 ? links : links.reversed() + links.prefix(2))
                case 2: try transaction.addLink(Self.link(owner, member, memberType: memberType))
                case 3: try transaction.removeLinks(ofMember: member)
                case 4: try transaction.replaceMember(member, with: other)
                default:
                    // Links of several owners in one call.
                    try transaction.addLinks(owners.map { Self.link($0, member, memberType: memberType) })
                }
            }
            try sqlite.write { try change($0) }
            try memory.write { try change($0) }
            for owner in owners {
                try #require(
                    try links(ofOwner: owner, in: sqlite) == links(ofOwner: owner, in: memory),
                    "seed \(seed), step \(step), change \(kind)")
            }
            for member in members {
                try #require(
                    try links(ofMember: member, in: sqlite) == links(ofMember: member, in: memory),
                    "seed \(seed), step \(step), change \(kind)")
            }
            for type: UInt32 in 5...7 {
                try #require(
                    try self.members(of: type, in: sqlite) == self.members(of: type, in: memory),
                    "seed \(seed), step \(step), change \(kind)")
            }
        }
    }

    @Test func aDamagedRunIsReported() throws {
        let storage = try store.open()
        for (first, last) in [(5, 4), (1, 5_000), (.min, .max)] as [(Int64, Int64)] {
            try storage.writer.write { database in
                try database.execute(sql: "DELETE FROM link_run")
                try database.execute(sql: "INSERT INTO link_run VALUES (9, ?, ?, 79, 5, 2)", arguments: [first, last])
            }
            #expect(throws: StorageError.self) { try links(ofOwner: 9, in: storage) }
            #expect(throws: StorageError.self) { try members(of: 5, in: storage) }
        }
    }
}
