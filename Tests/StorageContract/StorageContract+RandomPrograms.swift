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
