import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import Testing

@Suite("Deliveries of devices")
struct DeliveryTests {
    private let device = UUID()

    private func header(_ sequence: Int, acknowledged: Int? = nil, device: UUID? = nil) -> SyncBatchHeader {
        SyncBatchHeader(
            device: device ?? self.device, name: "Phone", sequence: sequence, acknowledged: acknowledged ?? sequence - 1
        )
    }

    private func steps(
        _ value: Double, at start: Double, uuid: UUID = UUID(), by caller: Caller = Names.watch,
        metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(
            uuid: uuid, type: Names.steps, start: start, end: start + 60, value: value, unit: "count",
            revision: caller.revision, device: DeviceRecord(name: "Watch"), metadata: metadata)
    }

    private func correlation(_ uuid: UUID, at start: Double) -> ObjectRecord {
        ObjectRecord(
            uuid: uuid, type: Names.bloodPressure, start: start, end: start, revision: Names.journal.revision,
            body: .none)
    }

    private func pressure(_ type: TypeCode, _ value: Double, _ uuid: UUID, at start: Double) -> SampleRecord {
        SampleRecord(
            uuid: uuid, type: type, start: start, end: start, value: value, unit: "mmHg",
            revision: Names.journal.revision)
    }

    @Test(
        "Samples keep UUID, source and device; the same delivery and the same samples change nothing",
        arguments: TestStore.Backend.allCases)
    func idempotence(backend: TestStore.Backend) throws {
        let store = try TestStore(backend)
        let samples = [
            steps(10, at: 0), steps(20, at: 60, by: Names.phone), steps(30, at: 120),
            steps(40, at: 180, by: Names.phone),
        ]
        let first = try store.engine.receive(ReceivedChanges(samples: samples), header(1), as: Names.owner)
        #expect(first.added == 4 && first.unchanged == 0)
        let stored = try StoredSamples(store.engine)
        let bySequence: (SampleRecord) -> SampleRecord = {
            var copy = $0; copy.sequence = 0; return copy
        }
        #expect(stored[Names.steps].map(bySequence) == samples)
        let state = try store.engine.storage.read { try $0.lastSequence() }

        let again = try store.engine.receive(ReceivedChanges(samples: samples), header(1), as: Names.owner)
        #expect(again == first)
        let resent = try store.engine.receive(ReceivedChanges(samples: samples), header(2), as: Names.owner)
        #expect(resent.added == 0 && resent.unchanged == 4)
        #expect(try store.engine.storage.read { try $0.lastSequence() } == state)
        let records = try store.engine.deliveries()
        #expect(records.map(\.last.sequence) == [2] && records.map(\.added) == [4])
    }

    @Test("The number of the last delivery with other contents is stale, and nothing is stored")
    func otherContents() throws {
        let store = try TestStore()
        func header(_ contents: String?) -> SyncBatchHeader {
            SyncBatchHeader(device: device, name: "Phone", sequence: 5, acknowledged: 0, contents: contents)
        }
        let changes = ReceivedChanges(samples: [steps(1, at: 0)])
        let first = try store.engine.receive(changes, header("a"), as: Names.owner)
        #expect(try store.engine.receive(changes, header("a"), as: Names.owner) == first)
        // Without contents, as an earlier version stored them, the number alone tells.
        #expect(try store.engine.receive(changes, header(nil), as: Names.owner) == first)
        #expect(throws: SyncOrderError.stale(lastSequence: 5)) {
            try store.engine.receive(ReceivedChanges(samples: [steps(2, at: 60)]), header("b"), as: Names.owner)
        }
        #expect(try StoredSamples(store.engine).count == 1)
    }

    @Test("A sample that a delivery deletes and contains was saved again", arguments: [false, true])
    func deletedAndContained(isStored: Bool) throws {
        let store = try TestStore()
        let sample = steps(1, at: 0)
        if isStored { _ = try store.engine.receive(ReceivedChanges(samples: [sample]), header(1), as: Names.owner) }
        var changes = ReceivedChanges(samples: [sample])
        changes.deletions = [try #require(sample.uuid)]
        _ = try store.engine.receive(changes, header(2, acknowledged: isStored ? 1 : 0), as: Names.owner)
        #expect(try StoredSamples(store.engine).count == 1)
    }

    @Test("A delayed delivery and one whose predecessors are lost are refused, and nothing is stored")
    func order() throws {
        let store = try TestStore()
        _ = try store.engine.receive(
            ReceivedChanges(samples: [steps(1, at: 0)]), header(5, acknowledged: 0), as: Names.owner)
        #expect(throws: SyncOrderError.stale(lastSequence: 5)) {
            try store.engine.receive(ReceivedChanges(samples: [steps(2, at: 60)]), header(4), as: Names.owner)
        }
        #expect(throws: SyncOrderError.lost(lastSequence: 5)) {
            try store.engine.receive(
                ReceivedChanges(samples: [steps(2, at: 60)]), header(9, acknowledged: 8), as: Names.owner)
        }
        #expect(throws: SyncOrderError.lost(lastSequence: 0)) {
            try store.engine.receive(
                ReceivedChanges(samples: [steps(2, at: 60)]), header(2, device: UUID()), as: Names.owner)
        }
        #expect(try StoredSamples(store.engine).count == 1)
        try store.engine.forgetDelivery(device: device)
        #expect(try store.engine.deliveries().isEmpty)
    }

    @Test("Members and owners that arrive in separate deliveries are linked, in any order", arguments: [false, true])
    func members(ownerFirst: Bool) throws {
        let store = try TestStore(.file)
        let (owner, systolic, diastolic) = (UUID(), UUID(), UUID())
        let ownerDelivery = ReceivedChanges(
            objects: [correlation(owner, at: 10)], members: [owner: [systolic, diastolic]])
        let memberDelivery = ReceivedChanges(samples: [
            pressure(Names.systolic, 120, systolic, at: 10), pressure(Names.diastolic, 80, diastolic, at: 10),
        ])
        let deliveries = ownerFirst ? [ownerDelivery, memberDelivery] : [memberDelivery, ownerDelivery]
        for index in deliveries.indices {
            let outcome = try store.engine.receive(deliveries[index], header(index + 1), as: Names.owner)
            #expect(outcome.rejected.isEmpty)
        }
        let stored = try StoredSamples(store.engine)
        let sequences = Set((stored[Names.systolic] + stored[Names.diastolic]).map(\.sequence))
        #expect(stored.objects[Names.bloodPressure].map { Set($0[0].members) } == sequences)
        #expect(sequences.count == 2)
        let waiting = try store.engine.storage.read { try $0.values(namespace: "deliveries.members") }
        #expect(waiting.isEmpty)
    }

    @Test("Deletions apply to every source, and once")
    func deletions() throws {
        let store = try TestStore()
        let (kept, gone) = (steps(1, at: 0), steps(2, at: 60, by: Names.phone))
        _ = try store.engine.receive(ReceivedChanges(samples: [kept, gone]), header(1), as: Names.owner)
        let uuid = try #require(gone.uuid)
        let outcome = try store.engine.receive(
            ReceivedChanges(deletions: [uuid, uuid, UUID()]), header(2), as: Names.owner)
        #expect(outcome.deleted == 1)
        let stored = try StoredSamples(store.engine)
        #expect(stored[Names.steps].map(\.uuid) == [kept.uuid])
        #expect(stored.tombstones.map(\.uuid) == [uuid])
    }

    @Test("A newer sync version takes the place of the older one in its owner, with and without its deletion")
    func syncVersions() throws {
        func mark(_ version: Int64) -> Metadata {
            Metadata([
                .init(key: MetadataKey.syncIdentifier, value: .string("a")),
                .init(key: MetadataKey.syncVersion, value: .integer(version)),
            ])
        }
        let store = try TestStore()
        let (owner, old, new) = (UUID(), UUID(), UUID())
        var sample = pressure(Names.systolic, 120, old, at: 0)
        sample.metadata = mark(1)
        _ = try store.engine.receive(
            ReceivedChanges(samples: [sample], objects: [correlation(owner, at: 0)], members: [owner: [old]]),
            header(1),
            as: Names.owner)
        (sample.uuid, sample.value, sample.metadata) = (new, 125, mark(2))
        let outcome = try store.engine.receive(
            ReceivedChanges(samples: [sample], deletions: [old]), header(2), as: Names.owner)
        #expect(outcome.added == 1)
        var stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.uuid) == [new])
        #expect(stored.objects[Names.bloodPressure]?.first?.members == stored[Names.systolic].map(\.sequence))

        // Deleted by the person and saved again by the application with the same version.
        let third = UUID()
        sample.uuid = third
        _ = try store.engine.receive(ReceivedChanges(samples: [sample], deletions: [new]), header(3), as: Names.owner)
        stored = try StoredSamples(store.engine)
        #expect(stored[Names.systolic].map(\.uuid) == [third])
    }

    @Test("An object with other contents is updated in its place, and an invalid sample does not block the others")
    func updatesAndRejections() throws {
        let store = try TestStore(.file)
        let uuid = UUID()
        func workout(_ duration: Double) -> ObjectRecord {
            ObjectRecord(
                uuid: uuid, type: Names.workout, start: 0, end: 600, revision: Names.watch.revision,
                body: .workout(WorkoutBody(activityType: 37, duration: duration)))
        }
        var wrongUnit = steps(1, at: 0)
        wrongUnit.unit = "kcal"
        let first = try store.engine.receive(
            ReceivedChanges(samples: [wrongUnit, steps(2, at: 60)], objects: [workout(600)]), header(1), as: Names.owner
        )
        #expect(first.added == 2)
        #expect(first.rejected.keys.map(\.self) == [wrongUnit.uuid])
        let before = try #require(try StoredSamples(store.engine).objects[Names.workout]?.first?.object)
        let second = try store.engine.receive(
            ReceivedChanges(objects: [workout(500)]), header(2), as: Names.owner)
        #expect(second.updated == 1 && second.added == 0)
        let after = try #require(try StoredSamples(store.engine).objects[Names.workout]?.first?.object)
        #expect(after.sequence == before.sequence && after.uuid == uuid && after.payload != before.payload)
        let third = try store.engine.receive(
            ReceivedChanges(objects: [workout(500)]), header(3), as: Names.owner)
        #expect(third.updated == 0 && third.unchanged == 1)
    }

    @Test("Series come with the figures that applications read, and activity summaries replace those of their day")
    func seriesAndSummaries() throws {
        let store = try TestStore()
        let uuid = UUID()
        let sample = SampleRecord(
            uuid: uuid, type: Names.heartRate, start: 0, end: 30, value: 70, unit: "count/min",
            revision: Names.watch.revision)
        let series = QuantitySeries(starts: [0, 10, 20], ends: [0, 10, 30], values: [60, 80, 70])
        var summary = ActivitySummaryBody(year: 2026, month: 3, day: 1)
        summary.activeEnergyBurned = QuantityRecord(300, unit: "kcal")
        _ = try store.engine.receive(
            ReceivedChanges(samples: [sample], series: [uuid: series], summaries: [summary]), header(1), as: Names.owner
        )
        #expect(try store.engine.quantitySeries(of: [uuid], type: Names.heartRate, as: Names.owner) == [uuid: series])
        let metadata = try #require(try StoredSamples(store.engine)[Names.heartRate].first).metadata
        #expect(metadata[MetadataKey.seriesCount] == .integer(3) && metadata[MetadataKey.seriesMaximum] == .double(80))
        #expect(metadata[MetadataKey.seriesLatest] == .double(70))
        summary.activeEnergyBurned = QuantityRecord(350, unit: "kcal")
        _ = try store.engine.receive(ReceivedChanges(summaries: [summary]), header(2), as: Names.owner)
        #expect(try StoredSamples(store.engine).objects[Names.summary]?.count == 1)
    }

    @Test("An application needs permission for every type, also of what it deletes")
    func permission() throws {
        let store = try TestStore()
        let sample = steps(1, at: 0)
        let app = Names.caller("org.example.sync", "Sync", permission: .table)
        #expect(throws: EngineError.authorizationNotDetermined(Names.steps)) {
            try store.engine.receive(ReceivedChanges(samples: [sample]), header(1), as: app)
        }
        _ = try store.engine.receive(ReceivedChanges(samples: [sample]), header(1), as: Names.owner)
        #expect(throws: EngineError.authorizationNotDetermined(Names.steps)) {
            try store.engine.receive(ReceivedChanges(deletions: [try #require(sample.uuid)]), header(2), as: app)
        }
        #expect(try StoredSamples(store.engine).count == 1)
    }

    @Test(
        "Observers are notified of a delivery, and the pages stay in order over many deliveries",
        arguments: TestStore.Backend.allCases)
    func manyDeliveries(backend: TestStore.Backend) throws {
        let store = try TestStore(backend, pageCapacity: 20)
        var expected: [UUID: Double] = [:]
        var random = SystemRandomNumberGenerator()
        for sequence in 1...40 {
            let samples = (0..<12).map { _ in
                steps(
                    Double.random(in: 0..<100, using: &random).rounded(),
                    at: Double(Int.random(in: 0..<5_000, using: &random)),
                    by: Bool.random(using: &random) ? Names.watch : Names.phone)
            }
            let doomed = expected.keys.shuffled(using: &random).prefix(4)
            for sample in samples { expected[sample.uuid ?? UUID()] = sample.value }
            for uuid in doomed { expected[uuid] = nil }
            _ = try store.engine.receive(
                ReceivedChanges(samples: samples, deletions: Array(doomed)), header(sequence), as: Names.owner)
        }
        let stored = try StoredSamples(store.engine)[Names.steps]
        #expect(
            Dictionary(uniqueKeysWithValues: stored.compactMap { sample in sample.uuid.map { ($0, sample.value) } })
                == expected)
        #expect(stored.map(\.start) == stored.map(\.start).sorted())
    }
}

extension Names {
    fileprivate static let owner = caller("org.example.person", "Person", permission: .owner)
}
