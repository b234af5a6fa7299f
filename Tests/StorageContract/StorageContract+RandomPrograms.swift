import Foundation
import HealthModel
import HealthStorage
import HealthTesting

extension StorageContract {
    /// Runs random transactions, one in four of which fails, on the backend and on a naive model. All results and the
    /// final contents must be equal.
    func checkRandomPrograms() throws {
        var random = SplitMix64(seed: seed)
        for program in 0..<6 {
            var storage = try makeStorage()
            let model = NaiveTransaction()
            // Rows must have allocated numbers; the random ones below are all in this range.
            _ = try model.allocateSequences(60)
            _ = try storage.write { try $0.allocateSequences(60) }
            for step in 0..<30 {
                let name = "program \(program), transaction \(step)"
                let operations = (0..<Int.random(in: 1...12, using: &random)).map { _ in
                    ContractOperation.random(&random)
                }
                try run(operations, fails: random.oneIn(4), on: storage, and: model, name)
                if random.oneIn(6), let reopen { storage = try reopen(storage) }
                try storage.read { try compare($0, with: model, name) }
            }
            try storage.close()
        }
    }

    /// Enters, finds and removes thousands of UUIDs in random batches: random ones, some that differ only in their last
    /// bytes, and some whose bytes are a type and a sequence number.
    func checkManyIdentities() throws {
        var random = SplitMix64(seed: seed)
        let storage = try makeStorage()
        _ = try storage.write { try $0.allocateSequences(100) }
        var model: [UUID: StoredIdentity] = [:]
        var known: [UUID] = []
        for step in 0..<60 {
            let name = "UUIDs of batch \(step)"
            let removed = (0..<random.pick([0, 0, 1, 40])).compactMap { _ in known.isEmpty ? nil : random.pick(known) }
            for uuid in removed { model[uuid] = nil }
            var batch: [UUID: StoredIdentity] = [:]
            for _ in 0..<random.pick([1, 5, 114, 400]) {
                let (uuid, sequence) = (Self.similarUUID(&random), Int64.random(in: 1...100, using: &random))
                guard model[uuid] == nil, batch[uuid] == nil else { continue }
                batch[uuid] = StoredIdentity(type: ContractRows.otherPaged, sequence: sequence)
                known.append(uuid)
            }
            try storage.write(prefetching: { Array(batch.keys) }) { transaction in
                for uuid in removed { try transaction.removeIdentity(uuid) }
                for (uuid, identity) in batch { try transaction.putIdentity(uuid, identity) }
            }
            model.merge(batch) { $1 }
            let stored = known.first { model[$0] != nil }
            if let stored, random.oneIn(4) {
                try expect(.duplicate, name) {
                    try storage.write(prefetching: { [stored] }) {
                        try $0.putIdentity(stored, StoredIdentity(type: ContractRows.paged, sequence: 1))
                    }
                }
            }
            let probes = (0..<100).map { _ in random.oneIn(2) ? random.pick(known) : Self.similarUUID(&random) }
            try storage.read { snapshot in
                try snapshot.prefetchIdentities(of: Array(probes.dropFirst(10)))
                for uuid in probes { try expect(try snapshot.locate(uuid) == model[uuid], name) }
                var found: [UUID: StoredIdentity] = [:]
                try snapshot.visitIdentities { uuid, identity in
                    try expect(found.updateValue(identity, forKey: uuid) == nil, "\(name), visited once")
                    return true
                }
                try expect(found == model, name)
            }
        }
        try storage.close()
    }

    private static func similarUUID(_ random: inout SplitMix64) -> UUID {
        let last = UInt8.random(in: .min ... .max, using: &random)
        switch Int.random(in: 0..<8, using: &random) {
        case 0: return ContractRows.uuid(last)
        case 1: return UUID(uuid: (9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, 9, last))
        case 2:
            let type = UInt8(ContractRows.otherPaged.rawValue)
            return UUID(uuid: (0, 0, 0, 0, 0, 0, 0, type, 0, 0, 0, 0, 0, 0, 0, last))
        case 3: return UUID(uuid: (255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, 255, last))
        default: return random.uuid()
        }
    }

    private func run(
        _ operations: [ContractOperation], fails: Bool, on storage: any HealthStorage,
        and model: NaiveTransaction, _ name: String
    ) throws {
        let before = model.state
        do {
            try storage.write { transaction in
                for operation in operations {
                    let expected = try operation.run(in: model)
                    try expect(try operation.run(in: transaction), equals: expected, name)
                }
                try compare(transaction, with: model, "\(name), inside")
                if fails { throw Interruption() }
            }
        } catch is Interruption {
            model.state = before
        }
    }

    private func compare(
        _ snapshot: any StorageSnapshot, with model: NaiveTransaction, _ name: String
    ) throws {
        var probes = StorageProbes()
        probes.owners = Set(1...15)
        probes.uuids = (0...15).map { ContractRows.uuid($0) }
        probes.namespaces = ["a", "b", "c"]
        let types = [ContractRows.paged, ContractRows.otherPaged, ContractRows.lastPaged]
        for source in ["s", "t", "u"] {
            for type in types {
                for identifier in ["i", "j", "k"] {
                    probes.syncKeys.append(.init(source: source, type: type, identifier: identifier))
                }
            }
        }
        try expect(
            try StorageContents(of: snapshot, probes: probes),
            equals: try StorageContents(of: model, probes: probes), name)
        let lists = try [snapshot, model].map { try enumerations(of: $0) }
        try expect(lists[0] == lists[1], "\(name): all UUIDs, sync identifiers and namespaces")
        for type in types {
            for start in [-1.0, 0, 0.5, 2, 3.25, 100] {
                try expect(
                    try snapshot.page(of: type, forStart: start) == (try model.page(of: type, forStart: start)),
                    "\(name): page of start \(start)")
                let key = PageKey(type: type, firstStart: start, firstSequence: 3)
                try expect(
                    try snapshot.page(before: key), equals: try model.page(before: key),
                    "\(name): page before start \(start)")
            }
            for owner in [ContractRows.object, ContractRows.otherObject] {
                try expect(
                    try snapshot.linkedMembers(of: type, ownerType: owner),
                    equals: try model.linkedMembers(of: type, ownerType: owner), "\(name): members by type")
            }
            for window in Self.someWindows {
                try expect(
                    try keys(snapshot, type, window) == (try keys(model, type, window)), "\(name): \(window)")
            }
        }
        for member in Int64(1)...15 {
            try expect(
                try snapshot.links(ofMember: member) == (try model.links(ofMember: member)),
                "\(name): links of a member")
        }
    }

    /// The rows that are visited in any order.
    private struct Enumerations: Equatable {
        var identities: [UUID: StoredIdentity] = [:]
        var syncs: Set<StoredSync> = []
        var namespaces: Set<String> = []
    }

    private func enumerations(of snapshot: any StorageSnapshot) throws -> Enumerations {
        var found = Enumerations()
        var count = 0
        try snapshot.visitIdentities {
            found.identities[$0] = $1
            count += 1
            return true
        }
        try expect(count, equals: found.identities.count, "every UUID is visited once")
        try snapshot.visitSyncs {
            found.syncs.insert($0)
            return true
        }
        found.namespaces = try snapshot.namespaces()
        return found
    }

    private func keys(
        _ snapshot: any StorageSnapshot, _ type: TypeCode, _ window: PageWindow
    ) throws -> [PageKey] {
        try collected { visit in
            try snapshot.visitPages(of: type, in: window, bodies: false) { try visit($0.key) }
        }
    }

    private static let someWindows: [PageWindow] = [
        .time(startsBefore: 3, endsAtOrAfter: nil), .time(startsBefore: nil, endsAtOrAfter: 6),
        .time(startsBefore: 4.5, endsAtOrAfter: 2), .time(startsBefore: 2, endsAtOrAfter: 400),
        .sequencesAfter(2), .sequencesAfter(8), .containing(sequence: 1), .containing(sequence: 5),
    ]
}
