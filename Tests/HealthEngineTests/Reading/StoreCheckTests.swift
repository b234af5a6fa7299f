import Foundation
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import Testing

/// The doctor finds what is wrong and says so without health data.
struct StoreCheckTests {
    private func store() throws -> TestStore {
        let store = try TestStore(pageCapacity: 3)
        try store.engine.save(
            (0..<10).map { index in
                var sample = SampleRecord.quantity(Names.steps, 4321, "count", from: Double(index))
                sample.uuid = UUID()
                return .sample(sample)
            }, as: Names.phone)
        try store.engine.save(
            [
                .object(
                    ObjectRecord(
                        type: Names.bloodPressure, start: 0, end: 0,
                        members: [.quantity(Names.systolic, 4321, "mmHg", from: 0)]))
            ], as: Names.phone)
        #expect(try store.engine.check() == [])
        return store
    }

    private func pages(_ transaction: any StorageTransaction) throws -> [StoredPage] {
        var pages: [StoredPage] = []
        try transaction.visitPages(of: Names.steps, in: .all, bodies: true) {
            pages.append($0.copy)
            return true
        }
        return pages
    }

    private func expectFinding(_ part: String, after harm: (any StorageTransaction) throws -> Void) throws {
        let store = try store()
        try store.engine.storage.write(harm)
        let findings = try store.engine.check()
        #expect(findings.contains { $0.contains(part) }, "\(findings)")
        #expect(!findings.contains { $0.contains("4321") })
    }

    @Test func damagedBytes() throws {
        try expectFinding("cannot be read") { transaction in
            var page = try pages(transaction)[1]
            page.body[page.body.count / 2] ^= 0x10
            try transaction.putPage(page)
        }
        try expectFinding("cannot be read") { transaction in
            var page = try pages(transaction)[1]
            page.header.removeLast()
            try transaction.putPage(page)
        }
    }

    @Test func pagesOutOfPlace() throws {
        try expectFinding("do not match its samples") { transaction in
            var page = try pages(transaction)[1]
            page.bounds.maximumEnd += 1
            try transaction.putPage(page)
        }
        try expectFinding("already in use") { transaction in
            var page = try pages(transaction)[1]
            page.key.firstStart = 100
            try transaction.putPage(page)
        }
    }

    @Test func danglingIdentitiesAndLinks() throws {
        try expectFinding("refers to something else") { transaction in
            let uuid = UUID()
            try transaction.putObject(
                StoredObject(
                    sequence: 1_000, uuid: uuid, type: Names.workout, start: 0, end: 1, revision: 1,
                    device: 0, payload: []))
            try transaction.removeIdentity(uuid)
        }
        try expectFinding("which is not stored") { transaction in
            try transaction.addLink(
                StoredLink(owner: 12, ownerType: Names.bloodPressure, member: 77, memberType: Names.systolic))
        }
        try expectFinding("never taken") { transaction in
            try transaction.putTombstone(StoredTombstone(sequence: 500, type: Names.steps, uuid: UUID()))
        }
    }
}
