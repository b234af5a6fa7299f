import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Testing

/// Changes since an anchor.
@Suite struct ChangesTests {
    private static let parts = [SampleRequest.Part(type: Names.steps), .init(type: Names.mass)]

    private func step(_ value: Double, _ uuid: UUID? = nil, metadata: Metadata = .empty) -> SaveItem {
        var sample = SampleRecord.quantity(Names.steps, value, "count", from: 1_000 - value, metadata: metadata)
        sample.uuid = uuid
        return .sample(sample)
    }

    @Test func comeInInsertionOrderAndEnd() throws {
        let store = try TestStore(pageCapacity: 2)
        try store.engine.save((0..<5).map { step(Double($0)) }, as: Names.phone)
        let first = try store.engine.changes(ChangesRequest(parts: Self.parts), as: Names.phone)
        #expect(first.added.found.map(\.value) == [0, 1, 2, 3, 4])
        let second = try store.engine.changes(
            ChangesRequest(parts: Self.parts, after: first.sequence), as: Names.phone)
        #expect(second.added.count == 0 && second.deleted.isEmpty && second.sequence == first.sequence)
        try store.engine.save([step(9)], as: Names.phone)
        let third = try store.engine.changes(
            ChangesRequest(parts: Self.parts, after: second.sequence), as: Names.phone)
        #expect(third.added.found.map(\.value) == [9])
    }

    @Test(arguments: 1...12)
    func nothingIsLostWhereverTheLimitCuts(limit: Int) throws {
        let store = try TestStore(pageCapacity: 3)
        let uuids = (0..<6).map { _ in UUID() }
        for (index, uuid) in uuids.enumerated() {
            try store.engine.save([step(Double(index), uuid)], as: Names.phone)
            try store.engine.save([.sample(.quantity(Names.mass, Double(index), "kg", from: 5))], as: Names.phone)
            if index % 2 == 1 { try store.engine.delete([uuids[index - 1]], as: Names.phone) }
        }
        var (after, added, deleted, rounds) = (Int64(0), [Double](), [UUID](), 0)
        while rounds < 50 {
            rounds += 1
            let request = ChangesRequest(parts: Self.parts, after: after, limit: limit)
            let page = try store.engine.changes(request, as: Names.phone)
            #expect(page.added.count + page.deleted.count <= limit)
            added += page.added.found.map(\.value)
            deleted += page.deleted.map(\.uuid)
            if page.sequence == after { break }
            after = page.sequence
        }
        #expect(added == [0, 1, 1, 2, 3, 3, 4, 5, 5])
        #expect(deleted == [uuids[0], uuids[2], uuids[4]])
    }

    @Test func savedAndDeletedBetweenAnchorsIsOnlyDeleted() throws {
        let store = try TestStore()
        let uuid = UUID()
        try store.engine.save([step(1)], as: Names.phone)
        let anchor = try store.engine.lastSequence()
        try store.engine.save([step(2, uuid)], as: Names.phone)
        try store.engine.delete([uuid], as: Names.phone)
        let changes = try store.engine.changes(ChangesRequest(parts: Self.parts, after: anchor), as: Names.phone)
        #expect(changes.added.count == 0)
        #expect(changes.deleted.map(\.uuid) == [uuid])
        // From the beginning, deletions of what was never seen come too.
        let all = try store.engine.changes(ChangesRequest(parts: Self.parts), as: Names.phone)
        #expect(all.added.found.map(\.value) == [1] && all.deleted.map(\.uuid) == [uuid])
        // Those of other types do not.
        let other = try store.engine.changes(
            ChangesRequest(parts: [.init(type: Names.mass)]), as: Names.phone)
        #expect(other.deleted.isEmpty)
    }

    @Test func replacedSampleIsDeletedAndAdded() throws {
        let store = try TestStore()
        func version(_ number: Int64) -> Metadata {
            Metadata([
                .init(key: MetadataKey.syncIdentifier, value: .string("a")),
                .init(key: MetadataKey.syncVersion, value: .integer(number)),
            ])
        }
        let old = UUID()
        try store.engine.save([step(1, old, metadata: version(1))], as: Names.phone)
        let anchor = try store.engine.lastSequence()
        try store.engine.save([step(2, metadata: version(2))], as: Names.phone)
        let changes = try store.engine.changes(ChangesRequest(parts: Self.parts, after: anchor), as: Names.phone)
        #expect(changes.added.found.map(\.value) == [2])
        #expect(changes.deleted.map(\.uuid) == [old])
        #expect(changes.deleted.first?.syncIdentifier == "a" && changes.deleted.first?.syncVersion == 1)
    }

    @Test func filterAppliesToAdditions() throws {
        let store = try TestStore(pageCapacity: 2)
        try store.engine.save((0..<6).map { step(Double($0)) }, as: Names.phone)
        let few = SampleRequest.Part(
            type: Names.steps, filter: .quantity(.greaterThan, QuantityRecord(3, unit: "count")))
        let page = try store.engine.changes(ChangesRequest(parts: [few], limit: 1), as: Names.phone)
        #expect(page.added.found.map(\.value) == [4])
        let rest = try store.engine.changes(
            ChangesRequest(parts: [few], after: page.sequence, limit: 1), as: Names.phone)
        #expect(rest.added.found.map(\.value) == [5])
    }
}
