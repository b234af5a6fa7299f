import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import Testing

/// A batch's report of samples and objects by their identities.
struct BulkAdditionsTests {
    private static let steps = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")!.code
    private static let workoutType = TypeCatalog.description(for: "HKWorkoutTypeIdentifier")!.code
    private let writer = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "w", name: "w")), permission: .allowAll)
    private let sample = UUID()
    private let workout = UUID()
    private let file = UUID()
    private let series = QuantitySeries(starts: [10, 20], ends: [20, 30], values: [1, 2])

    private func filled() throws -> TestStore {
        let store = try TestStore()
        try store.engine.save(
            [
                .sample(SampleRecord(uuid: sample, type: Self.steps, start: 10, end: 30, value: 3, unit: "count")),
                .object(
                    ObjectRecord(
                        uuid: workout, type: Self.workoutType, start: 0, end: 60,
                        body: .workout(WorkoutBody(activityType: 37, duration: 60)))),
            ], as: writer)
        return store
    }

    private func attachment(_ bytes: [UInt8], size: Int? = nil) -> BulkBatch.Addition {
        .attachment(
            AttachmentRecord(
                identifier: file, name: "a", contentType: "public.data", size: size ?? bytes.count, creation: 1,
                metadata: .empty),
            bytes: bytes, of: sample)
    }

    private func commit(_ additions: [BulkBatch.Addition], to store: TestStore) throws -> Int {
        var batch = BulkBatch()
        batch.additions = additions
        let outcome = try BulkImport(engine: store.engine).commit(batch)
        #expect(outcome.added == [:] && outcome.alreadyThere == [:])
        return outcome.unmatchedAdditions
    }

    @Test func eachIsWrittenOnce() throws {
        let store = try filled()
        let bytes = [UInt8](repeating: 9, count: AttachmentRecord.pieceSize + 5)
        for _ in 0..<2 {
            #expect(
                try commit(
                    [.members([sample], of: workout), .quantities(series, of: sample), attachment(bytes)], to: store)
                    == 0)
            try store.engine.readContents { contents in
                var found: [UUID: QuantitySeries] = [:]
                try contents.visitQuantitySeries(of: Self.steps) { found[$0] = $1 }
                #expect(found == [sample: series])
                var files: [UUID: [AttachmentRecord]] = [:]
                try contents.visitAttachments { owner, type, records in
                    #expect(type == Self.steps)
                    files[owner] = records
                }
                #expect(
                    files.keys.sorted { $0.uuidString < $1.uuidString } == [sample]
                        && files[sample]?.map(\.identifier) == [file])
                #expect(try (0..<2).flatMap { try contents.attachmentPiece($0, of: file) } == bytes)
                var object: ObjectRecord?
                try contents.visitObjects(of: Self.workoutType) {
                    object = $0; return true
                }
                let place = try #require(object?.sequence)
                #expect(try contents.memberRows(of: place).map(\.uuids) == [[sample]])
                #expect(try contents.memberObjects(of: place).isEmpty)
                // Of a selection, its part.
                #expect(try contents.memberRows(of: place, in: .init(since: 11)).isEmpty)
                try contents.visitQuantitySeries(of: Self.steps, in: .init(until: 10)) { _, _ in
                    Issue.record("not selected")
                }
                try contents.visitAttachments(in: .init(since: 11)) { _, _, _ in Issue.record("not selected") }
            }
        }
        #expect(try store.engine.check().isEmpty)
    }

    @Test func membersWithoutAnOwnerAreCounted() throws {
        let store = try filled()
        let nobody = UUID()
        let backwards = QuantitySeries(starts: [20, 10], ends: [20, 10], values: [1, 2])
        let stray = try commit(
            [
                .members([sample, workout], of: nobody), .members([nobody, workout], of: workout),
                .members([sample], of: sample),
                .quantities(series, of: nobody), .quantities(series, of: workout), .quantities(backwards, of: sample),
                .quantities(QuantitySeries(), of: sample), attachment([1, 2], size: 3),
                .attachment(
                    AttachmentRecord(
                        identifier: file, name: "", contentType: "", size: 0, creation: 0, metadata: .empty), bytes: [],
                    of: nobody),
            ], to: store)
        #expect(stray == 11)
        try store.engine.readContents { contents in
            try contents.visitAttachments { _, _, _ in Issue.record("a file of nothing") }
            try contents.visitQuantitySeries(of: Self.steps) { _, _ in Issue.record("a series of nothing") }
        }
        #expect(try store.engine.check().isEmpty)
    }
}
