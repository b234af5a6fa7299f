import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import HealthTesting
import PostgreSQLTestSupport
import Synchronization
import Testing

@testable import HealthStoragePostgreSQL

/// Stores that aren't open when something is saved, as most of a server's stores.
@Suite("Opening a store")
struct PostgreSQLOpeningTests {
    /// A server: a database of its own, whose statements are recorded, and the engine of one person.
    private final class Server: Sendable {
        private let people: TestPeople
        private let name: String
        private let now: @Sendable () -> Double
        private let sent: Shared<[String]>
        private let open = Mutex<HealthEngine?>(nil)

        init(_ name: String, schema: String, now: @escaping @Sendable () -> Double = { 700_000_000 }) throws {
            let sent = Shared<[String]>([])
            var options = PostgreSQLOptions()
            options.onStatement = { statement in sent.change { $0.append(statement) } }
            people = try TestPeople(schema: schema, options: options)
            (self.name, self.now, self.sent) = (name, now, sent)
        }

        /// Adds the person.
        func create() throws { _ = try people.database.storage(ofPerson: name) }

        /// The person's engine, opened if necessary.
        func engine() throws -> HealthEngine {
            try open.withLock { open in
                if let open { return open }
                let storage = try #require(try people.database.storage(ofExisting: name))
                let engine = try HealthEngine(storage: storage, configuration: EngineConfiguration(now: now))
                open = engine
                return engine
            }
        }

        func close() throws {
            try open.withLock { open in
                try open?.close()
                open = nil
            }
        }

        /// The statements that `body` sends.
        func statements(_ body: () throws -> Void) rethrows -> [String] {
            sent.value = []
            try body()
            return sent.value
        }
    }

    private static let phone = Caller(
        revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "test", name: "test")),
        permission: .owner)

    private static let types: [(identifier: String, unit: String, count: Int)] = [
        ("HKQuantityTypeIdentifierStepCount", "count", 12), ("HKQuantityTypeIdentifierHeartRate", "count/min", 40),
        ("HKQuantityTypeIdentifierActiveEnergyBurned", "kcal", 30),
        ("HKQuantityTypeIdentifierBasalEnergyBurned", "kcal", 8),
        ("HKQuantityTypeIdentifierDistanceWalkingRunning", "m", 12),
        ("HKQuantityTypeIdentifierRespiratoryRate", "count/min", 5),
        ("HKQuantityTypeIdentifierFlightsClimbed", "count", 1),
        ("HKQuantityTypeIdentifierEnvironmentalAudioExposure", "dBASPL", 6),
    ]

    /// The 114 samples with UUIDs that a phone and a watch record in an hour.
    private static func batch(ofHour hour: Int) throws -> [SaveItem] {
        try types.flatMap { identifier, unit, count in
            let type = try #require(TypeCatalog.description(for: identifier)).code
            return (0..<count).map { number in
                let start = Double(hour) * 3_600 + Double(number) * 60
                return SaveItem.sample(
                    SampleRecord(
                        uuid: UUID(), type: type, start: start, end: start + 30, value: 1 + Double(number), unit: unit))
            }
        }
    }

    /// In the order of texts, too, which are the keys of settings.
    private static func time(ofHour hour: Int) -> Double { 700_000_000 + Double(hour) * 3_600 }

    private static let cold = ["open_store(", "page_runs(", "pg_try_advisory_xact_lock(", "save_pages("]

    private static func isCold(_ statements: [String]) -> Bool {
        statements.count == cold.count && zip(statements, cold).allSatisfy { $0.contains($1) }
    }

    @Test("A batch of an hour is four statements if the store isn't open, and five if the person isn't known")
    func batches() throws {
        let hour = Shared(0)
        let name = UUID().uuidString
        let server = try Server(name, schema: "opening", now: { Self.time(ofHour: hour.value) })
        try server.create()
        // Enough for pages to be joined, and for those to be joined again.
        for number in 0..<120 {
            hour.value = number
            let batch = try Self.batch(ofHour: number)
            let sent = try server.statements { _ = try server.engine().save(batch, as: Self.phone) }
            try server.close()
            // The first ones bring entries of dictionaries; the person is looked up once.
            if number > 0 { #expect(Self.isCold(sent), "\(number): \(sent)") }
        }
        let other = try Server(name, schema: "opening", now: { Self.time(ofHour: 120) })
        let batch = try Self.batch(ofHour: 120)
        let sent = try other.statements { try other.engine().save(batch, as: Self.phone) }
        #expect(sent.first?.contains("FROM person") == true && Self.isCold(Array(sent.dropFirst())), "\(sent)")
        let type = try #require(TypeCatalog.description(for: Self.types[0].identifier)).code
        let request = StatisticsRequest(type: type, options: .cumulativeSum, buckets: .single)
        #expect(try other.engine().statistics(request, as: Self.phone).first?.values.sum == 121 * 78)
        #expect(try other.engine().storage.findDamage() == [])
    }

    @Test("A sample between stored ones is as many statements as one after them")
    func outOfOrder() throws {
        let server = try Server(UUID().uuidString, schema: "opening")
        try server.create()
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        func sample(_ start: Double) -> SaveItem {
            .sample(SampleRecord(uuid: UUID(), type: type, start: start, end: start + 10, value: 1, unit: "count"))
        }
        try server.engine().save((0..<5_000).map { sample(Double($0) * 60) }, as: Self.phone)
        for start in [100, 299_950, 150_010, 150_011, 400_000, 150_012] {
            try server.close()
            let sent = try server.statements { try server.engine().save([sample(Double(start))], as: Self.phone) }
            #expect(Self.isCold(sent), "\(start): \(sent)")
        }
        let request = StatisticsRequest(type: type, options: .cumulativeSum, buckets: .single)
        #expect(try server.engine().statistics(request, as: Self.phone).first?.values.sum == 5_006)
    }

    @Test("A store that is opened again and hasn't changed is asked for its row only")
    func reopening() throws {
        let server = try Server(UUID().uuidString, schema: "opening")
        try server.create()
        try server.engine().save(Self.batch(ofHour: 0), as: Self.phone)
        let dictionaries = try server.engine().dictionaries()
        try server.close()
        let sent = try server.statements { _ = try server.engine() }
        #expect(sent.count == 1)
        let found = try server.statements {
            let known = try server.engine().lookingUp { $0 }
            #expect(known.units == dictionaries.units && known.revisions == dictionaries.revisions)
        }
        #expect(found == [])
    }

    @Test("Two servers add to the dictionaries and settings of one person in turn", arguments: [7, 2_026] as [UInt64])
    func twoServers(seed: UInt64) throws {
        let name = UUID().uuidString
        let servers = try (0..<2).map { _ in try Server(name, schema: "opening") }
        try servers[0].create()
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        var random = SplitMix64(seed: seed)
        var saved: [UUID: (start: Double, version: String, device: String)] = [:]
        for step in 0..<300 {
            let server = servers[random.oneIn(2) ? 1 : 0]
            if random.oneIn(3) { try server.close() }
            let version = "\(random.oneIn(2) ? step : step / 10)"
            let device = "Watch \(random.oneIn(4) ? step : step % 3)"
            let caller = Caller(
                revision: SourceRevisionRecord(
                    source: SourceRecord(bundleIdentifier: "test", name: "test"), version: version),
                permission: .owner)
            let samples = (0..<(random.oneIn(5) ? 40 : 1)).map { number in
                let start = random.oneIn(3) ? Double(step % 17) * 1_000 : Double(step) * 1_000
                let sample = SampleRecord(
                    uuid: random.uuid(), type: type, start: start + Double(number), end: start + Double(number) + 1,
                    value: 1, unit: "count", device: DeviceRecord(name: device))
                if let uuid = sample.uuid { saved[uuid] = (sample.start, version, device) }
                return SaveItem.sample(sample)
            }
            try server.engine().save(samples, as: caller)
            // A decision of one server is in force at the other.
            let other = servers[random.oneIn(2) ? 1 : 0]
            let isAllowed = random.oneIn(2)
            try servers[random.oneIn(2) ? 1 : 0].engine().authorization.set(
                TypeAuthorization(share: isAllowed ? .authorized : .denied), of: type, bundleIdentifier: "app")
            let application = Caller(
                revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "app", name: "app")),
                permission: .table)
            let uuid = random.uuid()
            let sample = SampleRecord(uuid: uuid, type: type, start: 1, end: 2, value: 1, unit: "count")
            if isAllowed {
                try other.engine().save([.sample(sample)], as: application)
                try other.engine().delete([uuid], as: application)
            } else {
                #expect(throws: EngineError.self, "seed \(seed), step \(step)") {
                    try other.engine().save([.sample(sample)], as: application)
                }
            }
        }
        let third = try Server(name, schema: "opening")
        for server in servers + [third] {
            let selection = try server.engine().samples(SampleRequest(parts: [.init(type: type)]), as: Self.phone)
            var found = 0
            for batch in selection.batches {
                for row in 0..<batch.count {
                    let record = batch.record(
                        at: row, dictionaries: selection.dictionaries, identities: selection.identities)
                    let expected = record.uuid.flatMap { saved[$0] }
                    #expect(
                        expected?.start == record.start && expected?.version == record.revision?.version
                            && expected?.device == record.device?.name, "seed \(seed)")
                    found += 1
                }
            }
            #expect(found == saved.count, "seed \(seed)")
        }
        #expect(try third.engine().storage.findDamage() == [])
    }

    @Test("A person who was removed and added again has another store, and what was known is forgotten")
    func removedPeople() throws {
        let name = UUID().uuidString
        let server = try Server(name, schema: "opening")
        let people = try TestPeople(schema: "opening")
        try server.create()
        try server.engine().save(Self.batch(ofHour: 0), as: Self.phone)
        try server.close()
        try people.database.removePerson(name)
        _ = try people.database.storage(ofPerson: name)
        let error = #expect(throws: StorageError.self) { try server.engine() }
        #expect(error?.kind == .removed)
        #expect(try server.engine().lastSequence() == 0)
    }

    @Test("A person's number that is another person's, as in a database that was restored, opens no store")
    func reusedNumber() throws {
        let name = UUID().uuidString
        let server = try Server(name, schema: "opening")
        let people = try TestPeople(schema: "opening")
        try server.create()
        try server.engine().save(Self.batch(ofHour: 0), as: Self.phone)
        try server.close()
        let storage = try people.database.storage(ofPerson: name)
        // Another store with the same number, and this name with another number.
        try storage.write { try $0.adopt(StoreIdentity(uuid: UUID(), seed: 1)) }
        _ = try people.database.run([
            PostgreSQLCall("UPDATE person SET name = $2 WHERE name = $1", [name, UUID().uuidString])
        ])
        _ = try people.database.storage(ofPerson: name)
        let error = #expect(throws: StorageError.self) { try server.engine() }
        #expect(error?.kind == .removed)
        #expect(try server.engine().lastSequence() == 0)
    }

    @Test(
        "An empty store that gets the identity of another one is not the store that is open", arguments: [false, true])
    func adoptedIdentity(isWriting: Bool) throws {
        let name = UUID().uuidString
        let server = try Server(name, schema: "opening")
        let people = try TestPeople(schema: "opening")
        try server.create()
        // Whose samples would get UUIDs that are derived from the identity before.
        let open = try server.engine()
        let copied = StoreIdentity(uuid: UUID(), seed: 1)
        try people.database.storage(ofPerson: name).write { try $0.adopt(copied) }
        let error = #expect(throws: StorageError.self) {
            if isWriting {
                try open.save(Self.batch(ofHour: 0), as: Self.phone)
            } else {
                _ = try open.lastSequence()
            }
        }
        #expect(error?.kind == .removed)
        #expect((open.storage as? PostgreSQLStorage)?.isRemoved == true)
        try server.close()
        #expect(try server.engine().identity() == copied)
        try server.engine().save(Self.batch(ofHour: 0), as: Self.phone)
    }
}

/// A value that closures share.
private final class Shared<Value: Sendable>: Sendable {
    private let state: Mutex<Value>

    init(_ value: Value) { state = Mutex(value) }

    var value: Value {
        get { state.withLock { $0 } }
        set { state.withLock { $0 = newValue } }
    }

    func change(_ body: (inout sending Value) -> Void) { state.withLock { body(&$0) } }
}
