import Foundation
import HealthModel
import HealthStorage

extension StorageContract {
    func checkObjects() throws {
        let storage = try makeStorage()
        let objects = [
            ContractRows.object(1, start: -3.5, end: 1e9, uuid: ContractRows.uuid(1), revision: .max, device: .max),
            ContractRows.object(2, payload: []), ContractRows.object(3, payload: [UInt8](repeating: 5, count: 200_000)),
            ContractRows.object(.max, start: 0.1, end: 0.3),
        ]
        try storage.write { transaction in
            for object in objects { try transaction.putObject(object) }
        }
        try storage.read { snapshot in
            for object in objects {
                try expect(try snapshot.object(sequence: object.sequence) == object, "an object by sequence")
            }
            try expect(try snapshot.object(sequence: 4) == nil, "no object with that sequence")
        }
        let moved = ContractRows.object(
            2, ContractRows.otherObject, start: 7, end: 8, uuid: ContractRows.uuid(2), payload: [4])
        try storage.write { try $0.putObject(moved) }
        try storage.read { snapshot in
            try expect(try snapshot.object(sequence: 2) == moved, "an object written again")
            let found = try [ContractRows.object, ContractRows.otherObject].flatMap { type in
                try collected { try snapshot.visitObjects(of: type, in: .all, $0) }
            }
            try expect(found == [objects[0], objects[2], objects[3], moved], "the object occurs once")
        }
        try storage.write { transaction in
            try transaction.removeObject(sequence: 2)
            try transaction.removeObject(sequence: 2)
            try expect(try transaction.object(sequence: 2) == nil, "an object removed")
        }
        try expect(try storage.read { try $0.locate(ContractRows.uuid(2)) } == nil, "the UUID of one removed")
        try expect(try storage.read { try $0.typesInUse() } == [ContractRows.object], "types of objects left")
    }

    func checkObjectIdentities() throws {
        let storage = try makeStorage()
        let (one, two) = (ContractRows.uuid(1), ContractRows.uuid(2))
        try storage.write { transaction in
            try transaction.putObject(ContractRows.object(1, uuid: one))
            try transaction.putIdentity(two, StoredIdentity(type: ContractRows.paged, sequence: 9))
        }
        let before = try contents(storage)
        for uuid in [one, two] {
            try expect(.duplicate, "an object with an existing UUID") {
                try storage.write { try $0.putObject(ContractRows.object(2, uuid: uuid)) }
            }
        }
        try expect(.duplicate, "an object that changes to an existing UUID") {
            try storage.write { try $0.putObject(ContractRows.object(1, uuid: two)) }
        }
        try expect(try contents(storage), equals: before, "after duplicates")
        try storage.write { transaction in
            try transaction.putObject(ContractRows.object(1, ContractRows.otherObject, uuid: one))
            try expect(
                try transaction.locate(one) == StoredIdentity(type: ContractRows.otherObject, sequence: 1),
                "the UUID of an object written again with another type")
            try transaction.putObject(ContractRows.object(1, uuid: ContractRows.uuid(3)))
            try expect(try transaction.locate(one) == nil, "the previous UUID of an object written again")
            try transaction.putObject(ContractRows.object(1))
            try expect(
                try transaction.locate(ContractRows.uuid(3)) == nil, "the UUID of an object that has none now")
            try transaction.putObject(ContractRows.object(2, uuid: one))
        }
        try expect(
            try storage.read { try $0.locate(one) } == StoredIdentity(type: ContractRows.object, sequence: 2),
            "a UUID that is free again")
    }

    func checkIdentities() throws {
        let storage = try makeStorage()
        let uuid = ContractRows.uuid(1)
        let identity = StoredIdentity(type: ContractRows.lastPaged, sequence: .max)
        try storage.write { try $0.putIdentity(uuid, identity) }
        try expect(try storage.read { try $0.locate(uuid) } == identity, "the identity of a UUID")
        try expect(.duplicate, "an existing UUID") {
            try storage.write {
                try $0.putIdentity(uuid, StoredIdentity(type: ContractRows.paged, sequence: 1))
            }
        }
        try storage.write { transaction in
            // A duplicate that is caught leaves the transaction usable and the identity as it was.
            try expect(.duplicate, "an existing UUID, caught") {
                try transaction.putIdentity(uuid, StoredIdentity(type: ContractRows.paged, sequence: 1))
            }
            try expect(try transaction.locate(uuid) == identity, "the identity after a duplicate")
            try transaction.putIdentity(ContractRows.uuid(2), identity)
            try transaction.removeIdentity(uuid)
            try transaction.removeIdentity(uuid)
        }
        try expect(try storage.read { try $0.locate(uuid) } == nil, "an identity removed")
        try expect(try storage.read { try $0.locate(ContractRows.uuid(2)) } == identity, "the other identity")
        try storage.write { try $0.putIdentity(uuid, identity) }
        try expect(try storage.read { try $0.locate(uuid) } == identity, "an identity entered again")
    }

    func checkSyncIdentifiers() throws {
        let storage = try makeStorage()
        let key = StoredSync.Key(source: "com.example", type: ContractRows.paged, identifier: "meal 🍎")
        var others = [key, key, key, key]
        others[0].source = "com.example.other"
        others[1].type = ContractRows.otherPaged
        others[2].identifier = ""
        others[3].source = ""
        try storage.write { transaction in
            try transaction.putSync(StoredSync(key: key, version: 1.5, sequence: 7))
            for (index, other) in others.enumerated() {
                try transaction.putSync(StoredSync(key: other, version: 2, sequence: Int64(index)))
            }
            try transaction.putSync(StoredSync(key: key, version: 3, sequence: 8))
        }
        try storage.read { snapshot in
            try expect(
                try snapshot.sync(key) == StoredSync(key: key, version: 3, sequence: 8), "a replaced one")
            for (index, other) in others.enumerated() {
                try expect(try snapshot.sync(other)?.sequence == Int64(index), "one that differs in one part")
            }
            var missing = key
            missing.identifier = "meal"
            try expect(try snapshot.sync(missing) == nil, "an unknown one")
            missing.source = "unknown"
            try expect(try snapshot.sync(missing) == nil, "one of an unknown source")
        }
        try storage.write { transaction in
            try transaction.removeSync(key)
            try transaction.removeSync(key)
        }
        try expect(try storage.read { try $0.sync(key) } == nil, "one removed")
        try expect(try storage.read { try $0.sync(others[2]) } != nil, "one not removed")
    }

    func checkTombstones() throws {
        let storage = try makeStorage()
        let tombstones = (1...20).map { (index: Int) -> StoredTombstone in
            let isPaged = index % 3 == 0
            return StoredTombstone(
                sequence: Int64(index * 2), type: isPaged ? ContractRows.paged : ContractRows.object,
                uuid: ContractRows.uuid(UInt8(index)), syncIdentifier: index % 2 == 0 ? "sync 🍎 \(index)" : nil,
                syncVersion: index % 4 == 0 ? Double(index) / 3 : nil, start: index % 5 == 0 ? nil : -Double(index) / 7,
                end: index % 7 == 0 ? nil : Double(index), revision: index % 3 == 1 ? nil : UInt32(index))
        }
        try storage.write { transaction in
            for tombstone in tombstones.reversed() { try transaction.putTombstone(tombstone) }
        }
        let typeSets: [Set<TypeCode>?] = [
            nil, [], [ContractRows.paged], [ContractRows.object], [ContractRows.object, ContractRows.paged],
            [ContractRows.otherPaged],
        ]
        try storage.read { snapshot in
            for after in [Int64.min, 0, 1, 2, 3, 19, 39, 40, 41, .max] {
                for types in typeSets {
                    let found = try collected { try snapshot.visitTombstones(after: after, types: types, $0) }
                    let expected = tombstones.filter {
                        $0.sequence > after && (types == nil || types!.contains($0.type))
                    }
                    try expect(found == expected, "deletions after \(after)")
                }
            }
        }
        try expect(.duplicate, "a deletion with an existing sequence number") {
            try storage.write { try $0.putTombstone(tombstones[3]) }
        }
    }

    func contents(_ storage: any HealthStorage) throws -> StorageContents {
        var probes = StorageProbes()
        probes.owners = Set(1...40)
        probes.uuids = (0...40).map { ContractRows.uuid($0) }
        probes.namespaces = ["a", "b"]
        probes.syncKeys = [.init(source: "s", type: ContractRows.paged, identifier: "i")]
        return try storage.read { try StorageContents(of: $0, probes: probes) }
    }
}

extension StorageContract {
    func checkLinks() throws {
        let storage = try makeStorage()
        let links = [
            ContractRows.link(1, 9), ContractRows.link(1, 4),
            ContractRows.link(1, 5, memberType: ContractRows.otherPaged), ContractRows.link(2, 4),
            ContractRows.link(3, 4, ownerType: ContractRows.otherObject), ContractRows.link(2, 1),
        ]
        try storage.write { transaction in
            for link in links + links { try transaction.addLink(link) }
        }
        try storage.read { snapshot in
            try expect(
                try snapshot.links(ofOwner: 1) == [links[1], links[2], links[0]], "links of an owner by member")
            try expect(
                try snapshot.links(ofMember: 4) == [links[1], links[3], links[4]], "links of a member by owner")
            try expect(try snapshot.links(ofOwner: 4).isEmpty, "links of an owner without members")
            try expect(try snapshot.links(ofMember: 2).isEmpty, "links of a member without an owner")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.object) == [1, 4, 9],
                "members by types, each once")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.otherObject) == [4],
                "members by another owner's type")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.object, ownerType: ContractRows.paged).isEmpty,
                "members by types that have none")
        }
        try checkLinkChanges(in: storage, links)
    }

    private func checkLinkChanges(in storage: any HealthStorage, _ links: [StoredLink]) throws {
        try storage.write { transaction in
            // Owner 1 has 5 already: the two become one.
            try transaction.replaceMember(4, with: 5)
            try transaction.replaceMember(77, with: 78)
            try expect(try transaction.links(ofMember: 4).isEmpty, "the member replaced")
            try expect(
                try transaction.links(ofMember: 5)
                    == [
                        ContractRows.link(1, 5), ContractRows.link(2, 5),
                        ContractRows.link(3, 5, ownerType: ContractRows.otherObject),
                    ],
                "the successor's links")
            try expect(
                try transaction.linkedMembers(of: ContractRows.otherPaged, ownerType: ContractRows.object).isEmpty,
                "members by types after a replacement")
            try transaction.replaceMember(5, with: 5)
            try expect(try transaction.links(ofMember: 5).count, equals: 3, "a member replaced by itself")
            try transaction.removeLinks(ofMember: 9)
            try expect(try transaction.links(ofOwner: 1) == [ContractRows.link(1, 5)], "links left of an owner")
            try transaction.removeLinks(ofMember: 9)
        }
        try storage.write { transaction in
            // Object 2 owns 1 and 5 and is owned by 8.
            try transaction.putObject(ContractRows.object(2))
            try transaction.addLink(ContractRows.link(8, 2, memberType: ContractRows.object))
            try transaction.removeObject(sequence: 2)
        }
        try storage.read { snapshot in
            try expect(try snapshot.links(ofOwner: 2).isEmpty, "links a removed object had")
            try expect(try snapshot.links(ofMember: 2).isEmpty, "links to a removed object")
            try expect(try snapshot.links(ofOwner: 8).isEmpty, "what an owner has of a removed object")
            try expect(try snapshot.links(ofMember: 1).isEmpty, "what a removed object owned")
            try expect(
                try snapshot.linkedMembers(of: ContractRows.paged, ownerType: ContractRows.object) == [5],
                "members by types in the end")
        }
    }
}
