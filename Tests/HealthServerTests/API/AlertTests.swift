import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthStorageSQLite
import HealthTesting
import Testing

@testable import HealthDaemon
@testable import HealthServer

@Suite("Alerts")
final class AlertTests {
    private static let app = "org.example.site"
    private static let watch = "com.example.watch"
    private let path = NSTemporaryDirectory() + "alerts-\(UUID().uuidString).sqlite"
    private let clock = TestClock()
    private var engine: HealthEngine
    private let heartRate: TypeDescription

    init() throws {
        heartRate = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierHeartRate"))
        engine = try Self.open(path, clock)
        try engine.backgroundDelivery.setTarget(.webhook(url: "https://example.org", secretFile: ""), of: Self.app)
    }

    deinit {
        try? engine.close()
        for suffix in ["", "-wal", "-shm", "-page-shm"] { try? FileManager.default.removeItem(atPath: path + suffix) }
    }

    private static func open(_ path: String, _ clock: TestClock) throws -> HealthEngine {
        try HealthEngine(
            storage: SQLiteStorage(path: path),
            configuration: EngineConfiguration(now: { clock.now.timeIntervalSinceReferenceDate }))
    }

    private var now: Double { clock.now.timeIntervalSinceReferenceDate }

    private func add(_ request: AlertRequest) throws {
        try engine.backgroundDelivery.setAlert(HealthAlert(request, of: Self.app, in: engine), of: Self.app)
    }

    private func addLimit(_ limit: Double = 120, _ condition: AlertRequest.Condition = .above) throws {
        try add(
            AlertRequest(alert: "Pulse", condition: condition, type: "heartRate", limit: limit, unit: "bpm"))
    }

    private func save(_ value: Double, at date: Double? = nil, from source: String = watch) throws {
        let date = date ?? now
        let sample = SampleRecord(type: heartRate.code, start: date, end: date, value: value, unit: "count/min")
        let revision = SourceRevisionRecord(source: SourceRecord(bundleIdentifier: source, name: "Watch"))
        try engine.save([.sample(sample)], as: Caller(revision: revision, permission: .allowAll))
    }

    /// Looks as a daemon does, and acknowledges what is reported. Returns the data of the calls.
    private func told(standing: Set<String>? = nil) throws -> [[String: Any]] {
        _ = try AlertWatch(engine: engine).look(standing: standing)
        var calls: [[String: Any]] = []
        while let attempt = try engine.backgroundDelivery.begin(timeLimit: { _ in 30 }).begun.first {
            calls.append(try data(of: attempt))
            try engine.backgroundDelivery.finish(attempt.delivery.id, of: Self.app, .acknowledged)
        }
        return calls
    }

    private func data(of attempt: BackgroundDeliveryStore.Attempt) throws -> [String: Any] {
        let target = WebhookTarget(url: "https://example.org", secretFile: "", options: WebhookOptions())
        let body = try WebhookCall(attempt, to: target, of: engine).body
        let json = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
        #expect(json["type"] as? String == "health.alert")
        return try #require(json["data"] as? [String: Any])
    }

    private func allowReading() throws {
        try engine.authorization.set(
            TypeAuthorization(read: .authorized), of: heartRate.code, bundleIdentifier: Self.app)
    }

    @Test("A crossing is reported once: neither more samples nor a restart repeat it, but another crossing is reported")
    func crossing() throws {
        try save(100)
        try addLimit()
        #expect(try told().isEmpty)
        try save(119)
        #expect(try told().isEmpty)
        for value in [130.0, 140] {
            clock.advance(by: 60)
            try save(value)
        }
        let first = try told()
        #expect(first.count == 1 && first[0]["alert"] as? String == "Pulse")
        #expect(first[0]["condition"] as? String == "above" && first[0]["limit"] as? Double == 120)
        #expect(first[0]["type"] as? String == heartRate.identifier && first[0]["unit"] as? String == "count/min")
        clock.advance(by: 60)
        try save(150)
        #expect(try told().isEmpty)
        try engine.close()
        engine = try Self.open(path, clock)
        #expect(try told().isEmpty)
        for value in [120.0, 121] {
            clock.advance(by: 60)
            try save(value)
        }
        #expect(try told().count == 1)
    }

    @Test("The date and the value are reported only to an application that may read the type")
    func permission() throws {
        try addLimit()
        try save(130)
        let hidden = try told()
        #expect(hidden.count == 1 && hidden[0]["value"] == nil && hidden[0]["date"] == nil)
        // One that may only write sees its own samples, and not those of others.
        try engine.authorization.set(
            TypeAuthorization(share: .authorized, read: .denied), of: heartRate.code, bundleIdentifier: Self.app)
        clock.advance(by: 60)
        try save(100)
        clock.advance(by: 60)
        try save(132)
        let foreign = try told()
        #expect(foreign.count == 1 && foreign[0]["value"] == nil && foreign[0]["date"] == nil)
        try allowReading()
        clock.advance(by: 60)
        try save(100)
        clock.advance(by: 60)
        try save(131)
        let shown = try told()
        #expect(shown.count == 1 && shown[0]["value"] as? Double == 131)
        #expect(shown[0]["date"] as? String == clock.now.formatted(.iso8601))
    }

    @Test("An application has a hundred alerts at most, and each can be replaced")
    func maximum() throws {
        for number in 1...100 { try add(AlertRequest(alert: "\(number)", condition: .highlight)) }
        let error = #expect(throws: DaemonError.self) { try add(AlertRequest(alert: "101", condition: .highlight)) }
        #expect(error?.description.contains("100 alerts at most") == true)
        try add(AlertRequest(alert: "7", condition: .highlight))
        #expect(try engine.backgroundDelivery.application(Self.app)?.alerts.count == 100)
    }

    @Test("What was beyond a limit before isn’t told; a late sample is, and doesn’t end a crossing")
    func order() throws {
        try save(90)
        try addLimit(100, .below)
        // Samples from before the alert don't count, whenever they come.
        try save(80, at: now - 60)
        #expect(try told().isEmpty)
        clock.advance(by: 60)
        try save(95)
        #expect(try told().isEmpty)
        clock.advance(by: 60)
        try save(110)
        #expect(try told().isEmpty)
        try save(85, at: now - 10)
        #expect(try told().count == 1)
        clock.advance(by: 60)
        try save(85)
        #expect(try told().count == 1)
        try save(120, at: now - 10)
        clock.advance(by: 60)
        try save(84)
        #expect(try told().isEmpty)
    }

    @Test("The silence of a source is reported by the clock, once, and again only after it has sent something")
    func silence() throws {
        try save(80)
        try add(AlertRequest(alert: "Watch", condition: .silence, source: Self.watch, hours: 2))
        let watch = AlertWatch(engine: engine)
        #expect(try watch.look(standing: nil) == now + 7_200)
        clock.advance(by: 7_199)
        try save(80, from: "com.example.phone")
        #expect(try told().isEmpty)
        clock.advance(by: 1)
        let calls = try told()
        #expect(calls.count == 1 && calls[0]["source"] as? String == Self.watch)
        #expect(calls[0]["hours"] as? Double == 2 && calls[0]["type"] == nil)
        #expect(try watch.look(standing: nil) == nil)
        clock.advance(by: 100_000)
        #expect(try told().isEmpty)
        try save(81)
        #expect(try told().isEmpty)
        #expect(try watch.look(standing: nil) == now + 7_200)
        clock.advance(by: 7_200)
        #expect(try told().count == 1)
        // A source without samples is silent from when the alert was made.
        try add(AlertRequest(alert: "Scale", condition: .silence, source: "com.example.scale", hours: 1))
        #expect(try told().isEmpty)
        clock.advance(by: 3_600)
        #expect(try told().map { $0["alert"] as? String } == ["Scale"])
    }

    @Test("A highlight is reported when it appears, and named only to an application that may read it")
    func highlights() throws {
        try add(AlertRequest(alert: "Highlights", condition: .highlight))
        let (mass, pulse) = ("HKQuantityTypeIdentifierBodyMass lower", "\(heartRate.identifier) higher")
        #expect(try told(standing: [mass]).isEmpty)
        #expect(try told().isEmpty && told(standing: [mass]).isEmpty)
        let hidden = try told(standing: [mass, pulse])
        #expect(hidden.count == 1 && hidden[0]["type"] == nil && hidden[0]["direction"] == nil)
        #expect(try told(standing: [mass]).isEmpty)
        try allowReading()
        let shown = try told(standing: [mass, pulse])
        #expect(shown.count == 1 && shown[0]["type"] as? String == heartRate.identifier)
        #expect(shown[0]["direction"] as? String == "higher")
    }

    @Test("A browser gets the name of an alert and the address of what it is about, even if it may read the type")
    func browser() throws {
        try allowReading()
        try addLimit()
        try add(AlertRequest(alert: "Watch", condition: .silence, source: Self.watch, hours: 2))
        try add(AlertRequest(alert: "Highlights", condition: .highlight))
        _ = try AlertWatch(engine: engine).look(standing: [])
        try save(130, from: "com.example.phone")
        clock.advance(by: 7_200)
        _ = try AlertWatch(engine: engine).look(standing: ["\(heartRate.identifier) higher"])
        let options = WebhookOptions(browser: BrowserKeys(publicKey: Data(), secret: Data()))
        let target = WebhookTarget(url: "https://example.org", secretFile: "", options: options)
        var addresses: [String: String] = [:]
        while let attempt = try engine.backgroundDelivery.begin(timeLimit: { _ in 30 }).begun.first {
            let body = try WebhookCall(attempt, to: target, of: engine).body
            let json = try #require(try JSONSerialization.jsonObject(with: body) as? [String: Any])
            let data = try #require(json["data"] as? [String: String])
            #expect(Set(json.keys) == ["type", "timestamp", "data"] && Set(data.keys) == ["alert", "address"])
            addresses[try #require(data["alert"])] = data["address"]
            try engine.backgroundDelivery.finish(attempt.delivery.id, of: Self.app, .acknowledged)
        }
        #expect(
            addresses == [
                "Pulse": "#/trends/type/\(heartRate.identifier)/day", "Watch": "#/data", "Highlights": "#/today",
            ])
    }

    @Test("An alert is repeated as other calls are; after three failures it waits until the webhook is resumed")
    func retries() throws {
        try addLimit()
        try save(130)
        let deliveries = engine.backgroundDelivery
        _ = try AlertWatch(engine: engine).look(standing: nil)
        var identifiers: Set<UUID> = []
        for delay in [0.0, 60, 1_800] {
            clock.advance(by: delay)
            let attempt = try #require(try deliveries.begin { _ in 30 }.begun.first)
            identifiers.insert(attempt.delivery.id)
            try deliveries.finish(attempt.delivery.id, of: Self.app, .missed, reason: "It failed")
        }
        #expect(identifiers.count == 1)
        #expect(try deliveries.application(Self.app)?.areAlertsSuspended == true)
        clock.advance(by: 100_000)
        try save(100)
        clock.advance(by: 60)
        try save(140)
        #expect(try told().isEmpty)
        try deliveries.setSuspended(false, for: Self.app)
        // The one that failed, and what was crossed since.
        #expect(try told().count == 2)
    }

    @Test("Nothing is reported any more of an alert that was removed, and a program has none")
    func removed() throws {
        try addLimit()
        try save(130)
        _ = try AlertWatch(engine: engine).look(standing: nil)
        let attempt = try #require(try engine.backgroundDelivery.begin { _ in 30 }.begun.first)
        #expect(try engine.backgroundDelivery.removeAlert("Pulse", of: Self.app))
        #expect(try !engine.backgroundDelivery.removeAlert("Pulse", of: Self.app))
        #expect(try engine.backgroundDelivery.state(of: attempt.delivery, for: Self.app) == .withdrawn)
        #expect(try told().isEmpty)
        try addLimit()
        try engine.backgroundDelivery.setTarget(.program(path: "/bin/true", arguments: []), of: Self.app)
        #expect(try engine.backgroundDelivery.application(Self.app)?.alerts.isEmpty == true)
    }

    @Test("Values are compared in the unit of the limit")
    func units() throws {
        let glucose = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierBloodGlucose"))
        try add(
            AlertRequest(alert: "Low", condition: .below, type: "bloodGlucose", limit: 4, unit: "mmol/L"))
        for (value, count) in [(73.0, 0), (71, 1)] {
            clock.advance(by: 60)
            let sample = SampleRecord(type: glucose.code, start: now, end: now, value: value, unit: "mg/dL")
            try engine.save([.sample(sample)], as: .person)
            #expect(try told().count == count)
        }
    }

    @Test("What stands out in a store is read from its data")
    func standingOut() async throws {
        #expect(try await AlertWatch.standingOut(in: engine).isEmpty)
        // Half a year of a resting heart rate around 60, and a week of 80.
        let resting = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierRestingHeartRate"))
        let samples = (0..<190).map { day in
            let date = now - Double(day) * 86_400
            let value = day < 7 ? 80.0 : 59 + Double(day % 3)
            return SampleRecord(type: resting.code, start: date, end: date, value: value, unit: "count/min")
        }
        try engine.save(samples.map { .sample($0) }, as: .person)
        #expect(try await AlertWatch.standingOut(in: engine) == ["\(resting.identifier) higher"])
    }
}
