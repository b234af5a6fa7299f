import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthSync
import HealthTesting
import Synchronization
import Testing

@testable import HealthServer

@Suite("What a phone receives from a server")
struct ReceivingTests {
    /// A progress that a test can look at.
    private final class MemoryProgress: SyncProgressStore {
        private let kept = Mutex<SyncProgress?>(nil)
        func load() throws -> SyncProgress? { kept.withLock { $0 } }
        func save(_ progress: SyncProgress) throws { kept.withLock { $0 = progress } }
    }

    private static let steps = HKQuantityType(.stepCount)
    private static let mass = HKQuantityType(.bodyMass)

    private func sync(
        _ phone: TestHealthStore, with url: String, token: String? = nil,
        _ transport: any SyncTransport = HTTPTransport()
    ) throws -> HealthStoreSync {
        HealthStoreSync(
            store: phone.store, server: SyncServer(url: try #require(URL(string: url)), person: "anna", token: token),
            progress: MemoryProgress(),
            options: .init(pageSize: 3, retry: SyncRetryPolicy(firstDelay: 0, maximumAttempts: 1)),
            transport: transport)
    }

    /// The store of a server as another app on it sees it.
    private func page(_ engine: HealthEngine) -> HKHealthStore {
        HKHealthStore(
            configuration: .init(
                application: .init(bundleIdentifier: "org.example.page", name: "Page", version: "1"),
                authorization: .allowAll), engine: engine, availability: DeviceAvailability())
    }

    private func sample(
        _ type: HKQuantityType, _ value: Double, _ unit: String, at seconds: Double = 0,
        _ metadata: [String: Any]? = nil
    ) -> HKQuantitySample {
        HKQuantitySample(
            type: type, quantity: HKQuantity(unit: HKUnit(from: unit), doubleValue: value),
            start: TestClock.start + seconds, end: TestClock.start + seconds + 60, metadata: metadata)
    }

    private func samples(_ type: HKSampleType, in phone: TestHealthStore) async throws -> [HKSample] {
        try await HKSampleQueryDescriptor(
            predicates: [.sample(type: type)], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: phone.store)
    }

    private func values(_ type: HKQuantityType, in phone: TestHealthStore) async throws -> [String] {
        try await samples(type, in: phone).map { "\(($0 as? HKQuantitySample)?.quantity.description ?? "–")" }
    }

    @Test("New, changed and deleted samples arrive over HTTP, and nothing is sent back")
    func changes() async throws {
        try await TestServer.with { server in
            let page = page(try server.engine())
            let weight = [HKMetadataKeySyncIdentifier: "weight", HKMetadataKeySyncVersion: 1] as [String: Any]
            try await page.save([
                sample(Self.mass, 70, "kg", weight), sample(Self.steps, 10, "count"),
                sample(Self.steps, 20, "count", at: 100), sample(Self.steps, 30, "count", at: 200),
            ])
            let date = TestClock.start
            let run = HKWorkout(
                activityType: .running, start: date, end: date + 600, duration: 500,
                totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 90), totalDistance: nil, metadata: nil)
            try await page.save(run)
            let mood = HKStateOfMind(
                date: date, kind: .dailyMood, valence: 0.5, labels: [.calm], associations: [.family])
            try await page.save(mood)

            let phone = TestHealthStore()
            let sync = try sync(phone, with: server.url, token: server.ownerToken)
            let receipt = try await sync.receive()
            #expect(receipt.samples == 6 && receipt.rejected == [] && receipt.unreadable == 0)
            #expect(try await values(Self.mass, in: phone) == ["70 kg"])
            #expect(try await values(Self.steps, in: phone) == ["10 count", "20 count", "30 count"])
            let workout = try #require(try await samples(.workoutType(), in: phone).first as? HKWorkout)
            #expect(workout.workoutActivityType == .running && workout.duration == 500)
            #expect(workout.totalEnergyBurned?.doubleValue(for: .kilocalorie()) == 90)
            let state = try #require(try await samples(.stateOfMindType(), in: phone).first as? HKStateOfMind)
            #expect(state.valence == 0.5 && state.labels == [.calm] && state.associations == [.family])
            #expect(try await sync.receive() == SyncReceipt())

            let heavier = [HKMetadataKeySyncIdentifier: "weight", HKMetadataKeySyncVersion: 2] as [String: Any]
            try await page.save(sample(Self.mass, 71, "kg", heavier))
            _ = try await page.deleteObjects(
                of: Self.steps,
                predicate: HKQuery.predicateForQuantitySamples(
                    with: .equalTo, quantity: HKQuantity(unit: .count(), doubleValue: 20)))
            let own = sample(Self.steps, 1, "count", at: 300)
            try await phone.store.save(own)
            #expect(try await sync.sync().samples == 1)
            let next = try await sync.receive()
            #expect(next.samples == 1 && next.deletions == 2 && next.known == 1)
            #expect(try await values(Self.mass, in: phone) == ["71 kg"])
            #expect(try await values(Self.steps, in: phone) == ["10 count", "30 count", "1 count"])

            // A deletion on the server takes nothing away that the phone recorded itself.
            try server.engine().delete([own.uuid], as: .person)
            #expect(try await sync.receive().deletions == 0)
            #expect(try await values(Self.steps, in: phone) == ["10 count", "30 count", "1 count"])
            let again = try await sync.sync()
            #expect(again.samples == 0 && again.deletions == 0)
        }
    }

    @Test("Permission is asked for once and for what is there; other types are listed with the reason")
    func permission() async throws {
        let loopback = try SyncLoopback(types: [
            Self.steps.identifier, Self.mass.identifier, "HKCorrelationTypeIdentifierFood",
            "HKQuantityTypeIdentifierAppleExerciseTime", "HKDataTypeIdentifierElectrocardiogram",
            "HKDataTypeIdentifierAudiogram", "HKQuantityTypeIdentifierOfTomorrow", "HKQuantityTypeIdentifierNikeFuel",
        ])
        try await page(loopback.engine).save([sample(Self.steps, 10, "count"), sample(Self.mass, 70, "kg")])
        let phone = TestHealthStore(permission: .undecided)
        let sync = try sync(phone, with: "http://loopback", loopback)
        let plan = try await sync.receivingPlan()
        #expect(plan.requested == [Self.steps, Self.mass])
        #expect(
            plan.leftOut == [
                Self.steps.identifier: .undecided, Self.mass.identifier: .undecided,
                "HKQuantityTypeIdentifierAppleExerciseTime": .system,
                "HKDataTypeIdentifierElectrocardiogram": .system, "HKDataTypeIdentifierAudiogram": .unsupported,
                "HKQuantityTypeIdentifierOfTomorrow": .unknown, "HKQuantityTypeIdentifierNikeFuel": .system,
            ])
        phone.deny(share: [Self.mass])
        try await sync.requestReceivingAuthorization()
        try await sync.requestReceivingAuthorization()
        #expect(phone.permissionRequests.map(\.share) == [[Self.steps]])
        #expect(phone.permissionRequests.allSatisfy { $0.read.isEmpty })
        let receipt = try await sync.receive()
        #expect(receipt.leftOut[Self.mass.identifier] == .denied && receipt.samples == 1)
        // What was passed over comes when it is permitted.
        phone.grant(share: [Self.mass])
        try await sync.receive()
        phone.grant(read: [Self.steps, Self.mass])
        #expect(try await values(Self.mass, in: phone) == ["70 kg"])
        #expect(try await values(Self.steps, in: phone) == ["10 count"])
    }

    @Test("After the server’s store was replaced by another, the phone has what that one has")
    func replacedStore() async throws {
        let loopback = try SyncLoopback(types: [Self.steps.identifier])
        let all = (0..<10).map { sample(Self.steps, Double($0), "count", at: Double($0) * 100) }
        try await page(loopback.engine).save(all)
        let phone = TestHealthStore()
        let sync = try sync(phone, with: "http://loopback", loopback)
        try await sync.receive()
        let own = sample(Self.steps, 50, "count", at: 5_000)
        try await phone.store.save(own)
        #expect(try await values(Self.steps, in: phone).count == 11)

        try loopback.replaceStore()
        try await page(loopback.engine).save([sample(Self.steps, 7, "count"), sample(Self.steps, 8, "count", at: 100)])
        let receipt = try await sync.receive()
        #expect(receipt.samples == 2 && receipt.deletions == 10)
        #expect(try await values(Self.steps, in: phone) == ["7 count", "8 count", "50 count"])
    }

    @Test("What HealthKit would refuse is reported, and doesn’t keep the rest from arriving")
    func refused() async throws {
        let phone = TestHealthStore()
        let transport = ScriptedServer()
        let sync = try sync(phone, with: "http://scripted", transport)
        let receipt = try await sync.receive()
        #expect(receipt.samples == 1 && receipt.unreadable == 1)
        #expect(
            receipt.rejected.map(\.reason) == [
                "The quantity has no unit of the type.", "The dates aren’t those of a sample that has ended.",
                "The value isn’t one of the type.", "Metadata that the type requires is missing.",
            ])
        let left = try #require(try await samples(Self.steps, in: phone).first)
        // Values that the system would refuse are left out.
        #expect(left.metadata?["HKWasUserEntered"] == nil && left.metadata?["org.example.note"] as? String == "x")
    }

    /// A server with samples that HealthKit would end a program for.
    private struct ScriptedServer: SyncTransport {
        private static let samples = [
            #""type":"HKQuantityTypeIdentifierStepCount","quantity":1,"unit":"kg""#,
            #""type":"HKQuantityTypeIdentifierStepCount","quantity":1,"unit":"count","endDate":"2026-01-01T00:00:00Z""#,
            #""type":"HKCategoryTypeIdentifierSleepAnalysis","value":77"#,
            #""type":"HKQuantityTypeIdentifierInsulinDelivery","quantity":1,"unit":"IU""#,
            #""type":7"#,
            #""type":"HKQuantityTypeIdentifierStepCount","quantity":1,"unit":"count","metadata":{"HKWasUserEntered":"yes","org.example.note":"x"}"#,
        ]

        func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse { SyncResponse(status: 404) }

        func get(_ url: URL, token: String?) async throws -> SyncResponse {
            guard url.lastPathComponent == "changes" else {
                let types = [
                    "HKQuantityTypeIdentifierStepCount", "HKCategoryTypeIdentifierSleepAnalysis",
                    "HKQuantityTypeIdentifierInsulinDelivery",
                ]
                return SyncResponse(
                    status: 200,
                    body: try JSONSerialization.data(withJSONObject: ["types": types.map { ["type": $0] }]))
            }
            let added = Self.samples.enumerated().map { index, text in
                let end = text.contains("endDate") ? "" : #","endDate":"2026-03-01T07:31:00+01:00""#
                return #"{"uuid":"\#(UUID().uuidString)","startDate":"2026-03-01T06:30:00Z"\#(end),"#
                    + #""source":"Page","bundleIdentifier":"org.example.page","sequence":\#(index + 1),\#(text)}"#
            }
            return SyncResponse(
                status: 200,
                body: Data(
                    #"{"added":[\#(added.joined(separator: ","))],"deleted":[],"anchor":"a-9","hasMore":false}"#.utf8))
        }
    }
}
