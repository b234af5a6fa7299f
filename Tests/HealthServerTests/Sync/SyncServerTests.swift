import Foundation
import HealthEngine
import HealthImport
import HealthKit
import HealthModel
import HealthStorage
import HealthSync
import HealthTesting
import Synchronization
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Devices that sync with a server")
struct SyncServerTests {
    /// A phone with a store in memory.
    private final class Phone: Sendable {
        let engine: HealthEngine
        let store: HKHealthStore
        let progress = MemoryProgress()

        init() throws {
            engine = try HealthEngine(storage: InMemoryStorage())
            store = Self.connection(engine, "org.example.phone")
        }

        private static func connection(_ engine: HealthEngine, _ application: String) -> HKHealthStore {
            HKHealthStore(
                configuration: HKHealthStore.Configuration(
                    application: .init(bundleIdentifier: application, name: application, version: "2"),
                    authorization: .allowAll), engine: engine, availability: DeviceAvailability())
        }

        func sync(
            _ url: String, token: String, person: String = "anna", pageSize: Int = 100, batchSize: Int = 1_000_000,
            onPass: @escaping @Sendable (Result<SyncReport, any Error>) -> Void = { _ in }
        ) throws -> HealthStoreSync {
            HealthStoreSync(
                store: store, types: SyncTypes.all.union(SyncTypes.clinical),
                server: SyncServer(url: try #require(URL(string: url)), person: person, token: token),
                progress: progress,
                options: HealthStoreSync.Options(
                    deviceName: "Phone of Anna", pageSize: pageSize, batchSize: batchSize,
                    retry: SyncRetryPolicy(firstDelay: 0, maximumAttempts: 2), onPass: onPass))
        }

        func life(seed: UInt64) -> PhoneLife {
            PhoneLife(store: store, seed: seed) { Self.connection(engine, $0) }
        }

        func steps(_ value: Double, at seconds: Double) -> HKQuantitySample {
            HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: value),
                start: TestClock.start + seconds, end: TestClock.start + seconds + 1)
        }
    }

    /// A progress that a test can look at and set back.
    private final class MemoryProgress: SyncProgressStore {
        private let kept = Mutex<SyncProgress?>(nil)
        func load() throws -> SyncProgress? { kept.withLock { $0 } }
        func save(_ progress: SyncProgress) throws { kept.withLock { $0 = progress } }
    }

    /// A phone that has sent one sample, and its progress then.
    private func syncedPhone(_ server: TestServer) async throws -> (Phone, SyncProgress) {
        let phone = try Phone()
        try await phone.store.save(phone.steps(1, at: 0))
        try await phone.sync(server.url, token: server.ownerToken).sync()
        return (phone, try #require(try phone.progress.load()))
    }

    private func image(_ engine: HealthEngine) async throws -> StoreImage {
        let store = HKHealthStore(
            configuration: HKHealthStore.Configuration(authorization: .allowAll), engine: engine,
            availability: DeviceAvailability())
        return try await StoreImage(engine: engine, store: store)
    }

    @Test("Everything arrives as it is on the phone, also what is changed between two passes", arguments: [11, 12])
    func everything(seed: UInt64) async throws {
        try await TestServer.with { server in
            let phone = try Phone()
            let sync = try phone.sync(server.url, token: try server.token(scope: .sync))
            let life = phone.life(seed: seed)
            for round in 0..<6 {
                try await life.fullDay()
                for _ in 0..<10 { try await life.step() }
                let report = try await sync.sync()
                #expect(report.rejected == [] && report.samples > 0)
                let (one, other) = (try await image(phone.engine), try await image(try server.engine()))
                #expect(one.differences(from: other) == [], "round \(round)")
                #expect(other.duplicates.isEmpty && one.objects.count == other.objects.count)
            }
            #expect(try await sync.sync().batches == 0)

            let devices = try await server.client.get("/v1/people/anna/sync/devices")
            let list = try #require(devices.json["devices"] as? [[String: Any]])
            #expect(list.map { $0["name"] as? String } == ["Phone of Anna"])
            #expect(list[0]["lastSyncDate"] as? String != nil)
            let identifier = try #require(list[0]["identifier"] as? String)
            #expect(try await server.client.delete("/v1/people/anna/sync/devices/\(identifier)").status == 204)
            // The server has forgotten the device, so it sends everything again, and nothing comes twice.
            try await life.fullDay()
            let again = try await sync.sync()
            #expect(again.restarts == 1)
            let (one, other) = (try await image(phone.engine), try await image(try server.engine()))
            #expect(one.differences(from: other) == [] && one.objects.count == other.objects.count)
        }
    }

    @Test("A batch that is larger than the server accepts is divided")
    func largeBatches() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 20_000
        try await TestServer.with(limits: limits) { server in
            let phone = try Phone()
            try await phone.store.save((0..<300).map { phone.steps(Double($0), at: Double($0)) })
            let report = try await phone.sync(server.url, token: server.ownerToken, pageSize: 300).sync()
            #expect(report.samples == 300 && report.batches > 4)
            #expect(try await image(try server.engine()) == image(phone.engine))
        }
    }

    @Test("A server that was restored from an older copy gets what it lost")
    func restoredServer() async throws {
        let folder = try TemporaryServerFolder()
        let proxy = try KillingProxy()
        defer { proxy.stop() }
        let phone = try Phone()
        let url = "http://127.0.0.1:\(proxy.port)"
        let path = folder.path + "/anna/health.sqlite"
        func run(_ body: (HealthStoreSync) async throws -> Void) async throws {
            try await TestServer.with(folder: folder, people: ["anna"]) { server in
                proxy.setUpstream(server.port)
                try await body(try phone.sync(url, token: server.ownerToken))
            }
        }
        try await phone.store.save((0..<30).map { phone.steps(Double($0), at: Double($0)) })
        try await run { try await $0.sync() }
        try FileManager.default.copyItem(atPath: path, toPath: path + ".copy")
        try await phone.store.save((30..<50).map { phone.steps(Double($0), at: Double($0)) })
        try await run { sync in
            let report = try await sync.sync()
            #expect(report.samples == 20)
        }
        for suffix in ["", "-wal", "-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
        try FileManager.default.copyItem(atPath: path + ".copy", toPath: path)
        try await phone.store.save(phone.steps(7, at: 100))
        try await TestServer.with(folder: folder, people: ["anna"]) { server in
            proxy.setUpstream(server.port)
            let report = try await phone.sync(url, token: server.ownerToken).sync()
            #expect(report.restarts == 1)
            #expect(try await image(try server.engine()) == image(phone.engine))
        }
    }

    @Test("A phone that was restored with an older state continues, and nothing is duplicated")
    func restoredPhone() async throws {
        try await TestServer.with { server in
            let (phone, old) = try await syncedPhone(server)
            let doomed = phone.steps(2, at: 10)
            try await phone.store.save(doomed)
            try await phone.sync(server.url, token: server.ownerToken).sync()
            try await phone.store.delete(doomed)
            for index in 0..<70 {
                try await phone.store.save(phone.steps(3, at: 20 + Double(index)))
                try await phone.sync(server.url, token: server.ownerToken).sync()
            }
            try phone.progress.save(old)
            try await phone.store.save(phone.steps(4, at: 200))
            try await phone.sync(server.url, token: server.ownerToken).sync()
            #expect(try await image(try server.engine()) == image(phone.engine))
        }
    }

    /// The number that it sends next is the last one of the server, with other contents.
    @Test("A phone that was restored, or copied, after exactly one batch loses nothing")
    func copiedPhone() async throws {
        try await TestServer.with { server in
            let (phone, old) = try await syncedPhone(server)
            try await phone.store.save(phone.steps(2, at: 10))
            try await phone.sync(server.url, token: server.ownerToken).sync()
            try phone.progress.save(old)
            try await phone.store.save(phone.steps(3, at: 20))
            let report = try await phone.sync(server.url, token: server.ownerToken).sync()
            #expect(report.restarts == 1)
            #expect(try await image(try server.engine()) == image(phone.engine))
            // It is a separate device from now on.
            #expect(try #require(try phone.progress.load()).device != old.device)
            try await phone.store.save(phone.steps(4, at: 30))
            #expect(try await phone.sync(server.url, token: server.ownerToken).sync().restarts == 0)
            #expect(try await image(try server.engine()) == image(phone.engine))
        }
    }

    @Test("A sample that is deleted and saved again stays")
    func savedAgain() async throws {
        try await TestServer.with { server in
            let phone = try Phone()
            let sample = phone.steps(1, at: 0)
            try await phone.store.save([sample, phone.steps(2, at: 10)])
            try await phone.sync(server.url, token: server.ownerToken).sync()
            try await phone.store.delete(sample)
            try await phone.store.save(sample)
            try await phone.sync(server.url, token: server.ownerToken).sync()
            #expect(try await image(try server.engine()) == image(phone.engine))
            #expect(try await image(phone.engine).objects.count == 2)
        }
    }

    @Test("A sample that is too large for the server alone is rejected, and blocks no other")
    func aSampleThatIsTooLarge() async throws {
        var limits = ServerLimits()
        limits.bodyBytes = 20_000
        try await TestServer.with(limits: limits) { server in
            let phone = try Phone()
            let large = HKQuantitySample(
                type: HKQuantityType(.stepCount), quantity: HKQuantity(unit: .count(), doubleValue: 1),
                start: TestClock.start,
                end: TestClock.start + 1, metadata: ["note": String(repeating: "x", count: 30_000)])
            try await phone.store.save([phone.steps(2, at: 10), large, phone.steps(3, at: 20)])
            let report = try await phone.sync(server.url, token: server.ownerToken).sync()
            #expect(report.rejected.map(\.uuid) == [large.uuid] && report.samples == 2)
            try await phone.store.save(phone.steps(4, at: 30))
            #expect(try await phone.sync(server.url, token: server.ownerToken).sync().samples == 1)
            #expect(try await image(try server.engine()).objects.count == 3)
        }
    }

    /// Its days are too many for activity summaries, which are left out until it is deleted.
    @Test("A sample that lasts for millennia blocks nothing else")
    func aSampleOfMillennia() async throws {
        try await TestServer.with { server in
            let phone = try Phone()
            let workout = HKWorkout(activityType: .running, start: TestClock.start, end: TestClock.start + 600)
            try await phone.store.save(workout)
            let sync = try phone.sync(server.url, token: server.ownerToken)
            #expect(try await !sync.sync().lacksActivitySummaries)
            // A late member makes its owner be sent again at the end of a pass.
            try await phone.store.addSamples([phone.steps(5, at: 60)], to: workout)
            let millennia = HKQuantitySample(
                type: HKQuantityType(.activeEnergyBurned), quantity: HKQuantity(unit: .kilocalorie(), doubleValue: 7),
                start: TestClock.start - 3e10, end: TestClock.start + 3e10)
            try await phone.store.save(millennia)
            let report = try await sync.sync()
            #expect(report.lacksActivitySummaries && report.rejected == [])
            #expect(try await sync.sync().lacksActivitySummaries)
            let engine = try server.engine()
            let caller = Caller(
                revision: SourceRevisionRecord(
                    source: SourceRecord(bundleIdentifier: "org.example.test", name: "Test")),
                permission: .owner)
            let members = try engine.withReader(as: caller) { reader in
                let type = try #require(TypeCatalog.description(for: "HKWorkoutTypeIdentifier")).code
                return try reader.objects(of: type).reduce(0) { try $0 + reader.members(of: $1.sequence).count }
            }
            #expect(members == 1)
            try await phone.store.delete(millennia)
            #expect(try await !sync.sync().lacksActivitySummaries)
            #expect(try await image(engine) == image(phone.engine))
        }
    }

    @Test("Changes are sent as they happen, and the observer’s completion handler is called")
    func observing() async throws {
        try await TestServer.with { server in
            let phone = try Phone()
            try await phone.store.save(phone.steps(1, at: 0))
            let (passes, continuation) = AsyncStream.makeStream(of: Result<SyncReport, any Error>.self)
            let sync = try phone.sync(server.url, token: server.ownerToken, onPass: { continuation.yield($0) })
            await sync.startObserving()
            var iterator = passes.makeAsyncIterator()
            func wait(for count: Int) async throws {
                while try await image(try server.engine()).objects.count < count {
                    let pass = try #require(await iterator.next())
                    _ = try pass.get()
                }
            }
            try await wait(for: 1)
            let sample = phone.steps(2, at: 60)
            try await phone.store.save(sample)
            try await wait(for: 2)
            try await phone.store.delete(sample)
            while try await image(try server.engine()).objects.count > 1 {
                let pass = try #require(await iterator.next())
                _ = try pass.get()
            }
            await sync.stopObserving()
        }
    }

    @Test("Permission to send: the person and a device, not an application; a device may do nothing else")
    func access() async throws {
        try await TestServer.with { server in
            let phone = try Phone()
            try await phone.store.save(phone.steps(1, at: 0))
            func error(_ token: String, person: String = "anna") async throws -> SyncError? {
                await #expect(throws: SyncError.self) {
                    try await phone.sync(server.url, token: token, person: person).sync()
                }
            }
            let application = try server.token(read: .all, share: .all)
            #expect(try await error(application)?.status == 403)
            #expect(try await error(try server.token(scope: .sync, isReadOnly: true))?.status == 403)
            #expect(try await error(try server.token(of: "ben", scope: .sync))?.code == "wrongPerson")
            #expect(try await error("oh_unknown")?.status == 401)
            #expect(try await image(try server.engine()).objects.isEmpty)

            let device = server.client.with(token: try server.token(scope: .sync))
            #expect(try await device.get("/v1/people/anna/sync/devices").status == 403)
            #expect(try await device.get("/v1/tokens").status == 403)
            #expect(try await device.post("/v1/people", json: #"{"person":"eve"}"#).status == 403)
            let write = try await device.post(
                "/v1/people/anna/samples",
                json:
                    #"{"samples":[{"type":"stepCount","startDate":"2026-01-01T00:00:00Z","quantity":1,"unit":"count"}]}"#
            )
            #expect(write.status >= 400)
            try await phone.sync(server.url, token: device.token ?? "").sync()
            let read = try await device.get("/v1/people/anna/samples?type=stepCount")
            #expect(!read.text.contains(#""quantity":1"#))
            let owners = try await server.client.get("/v1/people/anna/samples?type=stepCount")
            #expect(owners.text.contains(#""quantity":1"#))
        }
    }

    @Test(
        "A batch with an activity summary whose date isn’t one is refused as a whole, and the mended one is stored",
        arguments: ["2026-02-30", "2026-13-01", "2026-02", "-2026-02-01", "2026-02-01-01", "today", ""])
    func dates(date: String) async throws {
        try await TestServer.with { server in
            func batch(_ date: String) -> String {
                """
                {"device":{"identifier":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","name":"Curl"},"sequence":1,"acknowledged":0,\
                "deletedObjects":[],"samples":[{"uuid":"0D2A7C0E-9A55-4C7B-9B0E-0B6F1B1F3A77",\
                "type":"HKQuantityTypeIdentifierStepCount","startDate":"2026-03-01T07:00:00Z","endDate":"2026-03-01T07:01:00Z",\
                "quantity":70,"unit":"count","source":"Watch","bundleIdentifier":"com.example.watch"}],"activitySummaries":[\
                {"date":"2026-02-28","activityMoveMode":1,"isPaused":false},{"date":"\(date)","activityMoveMode":1,"isPaused":false}]}
                """
            }
            let path = "/v1/people/anna/sync/batches"
            let refused = try await server.client.post(path, json: batch(date))
            #expect(refused.status == 400 && refused.code == "invalidBody")
            #expect((refused.json["detail"] as? String)?.contains("activitySummaries[1].date") == true)
            let engine = try server.engine()
            #expect(try engine.lastSequence() == 0)
            #expect(try engine.deliveries().isEmpty)
            let stored = try await server.client.post(path, json: batch("2026-03-01"))
            #expect(stored.status == 200 && stored.json["added"] as? Int == 1)
            let summaries = try #require(TypeCatalog.description(for: "HKActivitySummaryTypeIdentifier")).code
            let days = try engine.withReader(as: .person) { try $0.objects(of: summaries).count }
            #expect(days == 2)
        }
    }

    @Test(
        "A batch by hand: what can’t be stored is named, the rest is stored, and the answer to the same batch is the same"
    )
    func byHand() async throws {
        try await TestServer.with { server in
            let (good, unknown, wrongUnit) = (UUID(), UUID(), UUID())
            func sample(_ uuid: UUID, _ type: String, _ unit: String) -> String {
                """
                {"uuid":"\(uuid)","type":"\(type)","startDate":"2026-03-01T08:00:00+01:00","endDate":"2026-03-01T07:01:00Z",\
                "quantity":70,"unit":"\(unit)","source":"Watch","bundleIdentifier":"com.example.watch"}
                """
            }
            func batch(_ sequence: Int) -> String {
                """
                {"device":{"identifier":"E621E1F8-C36C-495A-93FC-0C247A3E6E5F","name":"Curl"},"sequence":\(sequence),\
                "acknowledged":0,"deletedObjects":[],"samples":[\
                \(sample(good, "HKQuantityTypeIdentifierStepCount", "count")),\
                \(sample(unknown, "HKQuantityTypeIdentifierSomethingNew", "count")),\
                \(sample(wrongUnit, "HKQuantityTypeIdentifierStepCount", "kg"))]}
                """
            }
            let path = "/v1/people/anna/sync/batches"
            let first = try await server.client.post(path, json: batch(5))
            #expect(first.status == 200)
            #expect(first.json["added"] as? Int == 1)
            let rejected = (first.json["rejected"] as? [[String: Any]] ?? []).compactMap { $0["uuid"] as? String }
            #expect(Set(rejected) == [unknown.uuidString, wrongUnit.uuidString])
            let stale = try await server.client.post(path, json: batch(4))
            #expect(stale.status == 409 && stale.code == "syncStale" && stale.headers["sync-last-sequence"] == "5")
            #expect(try await server.client.post(path, json: batch(0)).code == "invalidBody")
            #expect(try await server.client.post(path, json: #"{"device":7}"#).code == "invalidBody")
            #expect(
                try await server.client.send("POST", path, headers: ["Content-Type": "text/plain"], body: Data()).status
                    == 415)
            #expect(try await image(try server.engine()).objects.count == 1)
        }
    }
}
