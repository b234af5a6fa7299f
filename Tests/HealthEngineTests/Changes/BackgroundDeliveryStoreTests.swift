import Foundation
import HealthEngine
import HealthImport
import HealthModel
import HealthStorage
import HealthStorageSQLite
import Synchronization
import Testing

/// An engine over a file, with a clock that the test sets, that can be closed and opened again.
final class DeliveryWorld {
    static let app = "org.example.app"
    static let program = DeliveryTarget.program(path: "/bin/true", arguments: [])

    private final class Clock: Sendable {
        let time = Mutex(1_000_000.0)
    }

    private let folder: URL
    private let clock = Clock()
    private(set) var engine: HealthEngine

    init() throws {
        folder = FileManager.default.temporaryDirectory.appendingPathComponent("Deliveries-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        engine = try HealthEngine(storage: StorageProviders.shared.openInMemory())
        try reopen()
    }

    deinit {
        try? engine.close()
        try? FileManager.default.removeItem(at: folder)
    }

    /// Restarts the application: nothing but the file remains.
    func reopen() throws {
        try engine.close()
        engine = try HealthEngine(
            storage: SQLiteStorage(path: file.path),
            configuration: EngineConfiguration(now: { [clock] in clock.time.withLock { $0 } }))
    }

    var file: URL { folder.appendingPathComponent("health.sqlite") }

    var now: Double {
        get { clock.time.withLock { $0 } }
        set { clock.time.withLock { $0 = newValue } }
    }

    var deliveries: BackgroundDeliveryStore { engine.backgroundDelivery }

    func identifier(_ type: TypeCode) -> String { TypeCatalog.description(for: type)?.identifier ?? "" }

    func register(_ type: TypeCode, _ frequency: DeliveryFrequency = .immediate, app: String = app) throws {
        try deliveries.setFrequency(frequency.rawValue, of: identifier(type), for: app)
    }

    /// Saves a sample, and returns the last sequence number.
    @discardableResult
    func save(_ type: TypeCode) throws -> Int64 {
        let unit = TypeCatalog.description(for: type)?.canonicalUnit ?? ""
        let value = SampleRecord(type: type, start: now, end: now, value: 1, unit: unit)
        try engine.save([.sample(value)], as: Names.phone)
        return try engine.lastSequence()
    }

    func begin(limit: Double = 300) throws -> BackgroundDeliveryStore.Plan { try deliveries.begin { _ in limit } }

    func state(_ app: String = app) throws -> BackgroundApplication { try #require(try deliveries.application(app)) }
}

@Suite struct BackgroundDeliveryStoreTests {
    private let world: DeliveryWorld
    private let steps: String
    private let energy: String

    init() throws {
        world = try DeliveryWorld()
        steps = world.identifier(Names.steps)
        energy = world.identifier(Names.energy)
        try world.deliveries.setTarget(DeliveryWorld.program, of: DeliveryWorld.app)
    }

    @Test func onlyChangesAfterTheRegistrationAreDelivered() throws {
        try world.save(Names.steps)
        try world.register(Names.steps)
        #expect(try world.begin() == .init())
        let position = try world.save(Names.steps)
        let plan = try world.begin()
        #expect(plan.begun.map(\.bundleIdentifier) == [DeliveryWorld.app])
        #expect(plan.begun.first?.delivery.types == [steps: position])
        #expect(plan.begun.first?.delivery.attempt == 1)
        #expect(plan.next == world.now + 300)
        // One attempt at a time.
        try world.save(Names.steps)
        #expect(try world.begin().begun.isEmpty)
    }

    @Test func deletionsAreDelivered() throws {
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        let uuid = UUID()
        sample.uuid = uuid
        try world.engine.save([.sample(sample)], as: Names.phone)
        try world.register(Names.steps)
        try world.register(Names.energy)
        try world.engine.delete([uuid], as: Names.phone)
        #expect(try world.begin().begun.first?.delivery.types.keys.sorted() == [steps])
    }

    @Test func typesThatAreDueTogetherComeInOneDelivery() throws {
        try world.register(Names.steps)
        try world.register(Names.energy, .daily)
        try world.register(Names.heartRate)
        try world.save(Names.steps)
        let position = try world.save(Names.energy)
        let plan = try world.begin()
        #expect(plan.begun.count == 1)
        #expect(plan.begun.first?.delivery.types == [steps: position, energy: position])
    }

    @Test(arguments: DeliveryFrequency.allCases)
    func aFrequencyIsAMaximumRate(_ frequency: DeliveryFrequency) throws {
        try world.register(Names.steps, frequency)
        for _ in 1...3 {
            try world.save(Names.steps)
            let attempt = try #require(try world.begin().begun.first)
            try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .acknowledged)
            try world.save(Names.steps)
            if frequency != .immediate {
                world.now += frequency.interval - 1
                try world.reopen()
                let plan = try world.begin()
                #expect(plan.begun.isEmpty)
                #expect(plan.next == world.now + 1)
                world.now += 1
            }
            let second = try #require(try world.begin().begun.first)
            #expect(second.delivery.id != attempt.delivery.id)
            try world.deliveries.finish(second.delivery.id, of: DeliveryWorld.app, .acknowledged)
            world.now += frequency.interval
        }
    }

    @Test func changesDuringADeliveryAreDeliveredAfterIt() throws {
        try world.register(Names.steps)
        let first = try world.save(Names.steps)
        let attempt = try #require(try world.begin().begun.first)
        let second = try world.save(Names.steps)
        try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .acknowledged)
        #expect(try world.state().registrations[steps]?.acknowledged == first)
        #expect(try world.begin().begun.first?.delivery.types == [steps: second])
    }

    @Test func missesAreRetriedWithGrowingDelaysAndThenSuspended() throws {
        try world.register(Names.steps)
        let position = try world.save(Names.steps)
        var delivery = try #require(try world.begin().begun.first).delivery
        let id = delivery.id
        for (miss, delay) in [(1, 60.0), (2, 1_800)] {
            try world.deliveries.finish(id, of: DeliveryWorld.app, .missed)
            // Changes that come meanwhile don't shorten the delay, and aren't acknowledged by a retry.
            try world.save(Names.steps)
            #expect(try world.begin().next == world.now + delay)
            world.now += delay - 1
            #expect(try world.begin().begun.isEmpty)
            world.now += 1
            try world.reopen()
            delivery = try #require(try world.begin().begun.first).delivery
            #expect(delivery.id == id)
            #expect(delivery.attempt == miss + 1)
            #expect(delivery.types == [steps: position])
        }
        try world.deliveries.finish(id, of: DeliveryWorld.app, .missed)
        #expect(try world.state().registrations[steps]?.isSuspended == true)
        #expect(try world.state().deliveries.isEmpty)
        world.now += 1_000_000
        let last = try world.save(Names.steps)
        #expect(try world.begin() == .init())
        // Nothing is lost meanwhile.
        try world.deliveries.setSuspended(false, for: DeliveryWorld.app)
        #expect(try world.begin().begun.first?.delivery.types == [steps: last])
    }

    @Test func registeringAnewEndsASuspension() throws {
        try world.register(Names.steps)
        let position = try world.save(Names.steps)
        try world.deliveries.setSuspended(true, for: DeliveryWorld.app)
        #expect(try world.begin().begun.isEmpty)
        try world.register(Names.steps, .hourly)
        #expect(try world.begin().begun.first?.delivery.types == [steps: position])
    }

    @Test func anAttemptWhoseTimeRanOutFails() throws {
        try world.register(Names.steps)
        try world.save(Names.steps)
        let attempt = try #require(try world.begin(limit: 30).begun.first)
        world.now += 29
        #expect(try world.begin().expired.isEmpty)
        world.now += 1
        let plan = try world.begin()
        #expect(plan.expired.map(\.delivery.id) == [attempt.delivery.id])
        #expect(plan.begun.isEmpty)
        #expect(try world.state().deliveries.first?.misses == 1)
        // A late acknowledgement counts.
        try world.deliveries.acknowledge(attempt.delivery.types, of: DeliveryWorld.app)
        #expect(try world.state().deliveries.isEmpty)
        // The end of an attempt that has ended does nothing.
        try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .missed)
        #expect(try world.state().registrations[steps]?.isSuspended == false)
    }

    @Test func suspendedTypesAreLeftOutAndDueLater() throws {
        try world.register(Names.steps)
        try world.register(Names.energy)
        try world.save(Names.steps)
        let first = try #require(try world.begin().begun.first).delivery
        try world.deliveries.finish(first.id, of: DeliveryWorld.app, .missed)
        world.now += 60
        let position = try world.save(Names.energy)
        // The retry would come first.
        let steps = steps
        let plan = try world.deliveries.begin {
            $0 == DeliveryWorld.app && $1 == steps
        } timeLimit: { _ in
            300
        }
        #expect(plan.begun.first?.delivery.types == [energy: position])
        try world.deliveries.finish(try #require(plan.begun.first).delivery.id, of: DeliveryWorld.app, .acknowledged)
        // Time alone doesn't end what holds it back.
        #expect(
            try world.deliveries.begin { _, _ in
                true
            } timeLimit: { _ in
                300
            } == .init())
        #expect(try world.begin().begun.first?.delivery.id == first.id)
    }

    @Test func aDeliveryThatIsWithdrawnIsNotAcknowledged() throws {
        for withdraw in [
            { try $0.setSuspended(true, for: $1) }, { try $0.removeAll(of: $1) }, { try $0.remove($1) },
        ] as [(BackgroundDeliveryStore, String) throws -> Void] {
            try world.register(Names.steps)
            try world.save(Names.steps)
            let delivery = try #require(try world.begin().begun.first).delivery
            #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .open)
            try withdraw(world.deliveries, DeliveryWorld.app)
            #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .withdrawn)
            try world.deliveries.setTarget(DeliveryWorld.program, of: DeliveryWorld.app)
        }
        try world.register(Names.steps)
        try world.save(Names.steps)
        let delivery = try #require(try world.begin().begun.first).delivery
        try world.deliveries.acknowledge(delivery.types, of: DeliveryWorld.app)
        #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .acknowledged)
    }

    /// A program that registers its types at each launch.
    @Test func deliveryOfAPreviousRegistrationIsWithdrawn() throws {
        try world.register(Names.steps)
        try world.save(Names.steps)
        let delivery = try #require(try world.begin().begun.first).delivery
        try world.deliveries.removeAll(of: DeliveryWorld.app)
        try world.register(Names.steps)
        #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .withdrawn)
        try world.save(Names.steps)
        let next = try #require(try world.begin().begun.first).delivery
        // Changing the frequency keeps the registration.
        try world.register(Names.steps, .hourly)
        try world.deliveries.acknowledge(next.types, of: DeliveryWorld.app)
        #expect(try world.deliveries.state(of: next, for: DeliveryWorld.app) == .acknowledged)
    }

    /// An observer isn't called for the commits of other types, and acknowledges its last one.
    @Test func commitsOfOtherTypesDoNotKeepADeliveryOpen() throws {
        try world.register(Names.steps)
        let first = try world.save(Names.steps)
        let last = try world.save(Names.energy)
        let delivery = try #require(try world.begin().begun.first).delivery
        #expect(delivery.types == [steps: last])
        try world.deliveries.acknowledge([steps: first - 1], of: DeliveryWorld.app)
        #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .open)
        try world.deliveries.acknowledge([steps: first], of: DeliveryWorld.app)
        #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .acknowledged)
        #expect(try world.begin().begun.isEmpty)
    }

    @Test func deletionsKeepADeliveryOpen() throws {
        try world.register(Names.steps)
        var sample = SampleRecord.quantity(Names.steps, 1, "count", from: 1)
        let uuid = UUID()
        sample.uuid = uuid
        try world.engine.save([.sample(sample)], as: Names.phone)
        let first = try world.engine.storage.read { try $0.lastSequence() }
        try world.engine.delete([uuid], as: Names.phone)
        let delivery = try #require(try world.begin().begun.first).delivery
        try world.deliveries.acknowledge([steps: first], of: DeliveryWorld.app)
        #expect(try world.deliveries.state(of: delivery, for: DeliveryWorld.app) == .open)
    }

    @Test(arguments: DeliveryFrequency.allCases)
    func aTypeThatIsResumedAfterMissesIsDueAtOnce(_ frequency: DeliveryFrequency) throws {
        try world.register(Names.steps, frequency)
        try world.save(Names.steps)
        for delay in [60.0, 1_800, 0] {
            let delivery = try #require(try world.begin().begun.first).delivery
            try world.deliveries.finish(delivery.id, of: DeliveryWorld.app, .missed)
            world.now += delay
        }
        #expect(try world.state().registrations[steps]?.isSuspended == true)
        try world.deliveries.setSuspended(false, for: DeliveryWorld.app)
        #expect(try world.begin().begun.count == 1)
    }

    @Test func anInterruptedAttemptIsNotCounted() throws {
        try world.register(Names.steps)
        try world.save(Names.steps)
        for _ in 1...5 {
            let attempt = try #require(try world.begin().begun.first)
            #expect(attempt.delivery.attempt == 1)
            try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .interrupted)
        }
    }

    @Test func aPartIsAcknowledgedAndTheRestRetried() throws {
        try world.register(Names.steps)
        try world.register(Names.energy)
        try world.save(Names.steps)
        let position = try world.save(Names.energy)
        let attempt = try #require(try world.begin().begun.first)
        try world.deliveries.acknowledge([steps: position], of: DeliveryWorld.app)
        try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .missed)
        world.now += 60
        let retry = try #require(try world.begin().begun.first)
        #expect(retry.delivery.id == attempt.delivery.id)
        #expect(retry.delivery.types == [energy: position])
    }

    @Test func acknowledgementsEndAtTheLastDelivery() throws {
        try world.register(Names.steps)
        let first = try world.save(Names.steps)
        _ = try world.begin()
        let second = try world.save(Names.steps)
        try world.deliveries.acknowledge([steps: first - 1], of: DeliveryWorld.app)
        #expect(try world.state().inFlight != nil)
        try world.deliveries.acknowledge([steps: first], of: DeliveryWorld.app)
        #expect(try world.begin().begun.first?.delivery.types == [steps: second])
    }

    @Test func aClockSetBackNeitherLosesNorStorms() throws {
        try world.register(Names.steps, .weekly)
        try world.save(Names.steps)
        let attempt = try #require(try world.begin().begun.first)
        try world.deliveries.finish(attempt.delivery.id, of: DeliveryWorld.app, .acknowledged)
        try world.save(Names.steps)
        world.now -= 400 * 86_400
        #expect(try world.begin().begun.isEmpty)
        world.now += 604_800 - 1
        #expect(try world.begin().begun.isEmpty)
        world.now += 1
        let retried = try #require(try world.begin().begun.first)
        // The time limit and the delay of a retry are as long as they would have been.
        world.now -= 400 * 86_400
        #expect(try world.begin().next == world.now + 300)
        world.now += 300
        #expect(try world.begin().expired.map(\.delivery.id) == [retried.delivery.id])
        world.now -= 400 * 86_400
        #expect(try world.begin().next == world.now + 60)
        world.now += 60
        #expect(try world.begin().begun.map(\.delivery.id) == [retried.delivery.id])
    }

    @Test func aTypeThatTheApplicationMayNotReadIsNotDue() throws {
        try world.register(Names.steps)
        for (read, isDue) in [(TypeAuthorization.Decision.denied, false), (.authorized, true)] {
            try world.engine.authorization.set(
                TypeAuthorization(share: .authorized, read: read), of: Names.steps, bundleIdentifier: DeliveryWorld.app)
            // What came before the permission is delivered with it.
            if !isDue { try world.save(Names.steps) }
            #expect(try world.begin().begun.isEmpty != isDue)
        }
    }

    /// Saves steps and deletes them.
    private func deleteSteps(_ count: Int, from engine: HealthEngine) throws {
        let samples = (0..<count).map { index in
            var sample = SampleRecord.quantity(Names.steps, 1, "count", from: Double(index))
            sample.uuid = UUID()
            return sample
        }
        try engine.save(samples.map { SaveItem.sample($0) }, as: Names.phone)
        try engine.delete(samples.compactMap(\.uuid), as: Names.phone)
    }

    @Test func manyDeletionsOfOtherTypesAreNotLookedThroughAgain() throws {
        try world.register(Names.energy)
        let start = try world.state().registrations[energy]?.acknowledged
        try deleteSteps(999, from: world.engine)
        #expect(try world.begin() == .init())
        #expect(try world.state().registrations[energy]?.acknowledged == start)
        try deleteSteps(1, from: world.engine)
        let position = try world.engine.lastSequence()
        #expect(try world.begin() == .init())
        #expect(try world.state().registrations[energy]?.acknowledged == position)
        let next = try world.save(Names.energy)
        #expect(try world.begin().begun.first?.delivery.types == [energy: next])
    }

    /// Its position stays where it is, so that what came before the permission is delivered with it.
    @Test func deletionsAreNotLookedThroughForATypeThatMayNotBeRead() throws {
        let storage = CountingStorage(InMemoryStorage())
        let engine = try HealthEngine(storage: storage)
        let deliveries = engine.backgroundDelivery
        try deliveries.setTarget(DeliveryWorld.program, of: DeliveryWorld.app)
        try deliveries.setFrequency(1, of: steps, for: DeliveryWorld.app)
        func decide(_ read: TypeAuthorization.Decision) throws {
            try engine.authorization.set(
                TypeAuthorization(share: .authorized, read: read), of: Names.steps, bundleIdentifier: DeliveryWorld.app)
        }
        try decide(.denied)
        try deleteSteps(1_000, from: engine)
        _ = storage.takeDeletionCount()
        #expect(try deliveries.begin { _ in 300 } == .init())
        #expect(storage.takeDeletionCount() == 0)
        try decide(.authorized)
        #expect(try deliveries.begin { _ in 300 }.begun.count == 1)
    }

    @Test("The log has the attempts that ended, and nothing of what was delivered")
    func log() throws {
        try world.register(Names.steps)
        try world.save(Names.steps)
        let delivery = try #require(try world.begin().begun.first?.delivery)
        try world.deliveries.finish(delivery.id, of: DeliveryWorld.app, .missed, reason: "It answered with status 500")
        // It has ended.
        try world.deliveries.finish(delivery.id, of: DeliveryWorld.app, .acknowledged)
        let log = try world.state().attempts
        #expect(log.map(\.delivery) == [delivery.id] && log.map(\.attempt) == [1])
        #expect(log.first?.isAcknowledged == false && log.first?.reason == "It answered with status 500")
        for number in 0..<150 {
            try world.deliveries.record(
                .init(delivery: UUID(), attempt: 0, date: Double(number), isAcknowledged: true, reason: nil),
                of: DeliveryWorld.app)
        }
        #expect(try world.state().attempts.count == 100 && world.state().attempts.last?.date == 149)
    }

    @Test func withoutATargetNothingIsDue() throws {
        try world.register(Names.steps, app: "org.example.other")
        try world.save(Names.steps)
        #expect(try world.begin() == .init())
        try world.deliveries.setTarget(
            .webhook(url: "https://example.org", secretFile: "/secret"), of: "org.example.other")
        #expect(try world.begin().begun.map(\.bundleIdentifier) == ["org.example.other"])
        try world.deliveries.remove("org.example.other")
        #expect(try world.deliveries.applications().keys.sorted() == [DeliveryWorld.app])
        #expect(try world.deliveries.frequencies(of: "org.example.other").isEmpty)
    }

    @Test func askingWritesNothingUnlessSomethingIsDue() throws {
        try world.register(Names.steps)
        try world.register(Names.energy)
        func log() throws -> [Data] {
            try ["", "-wal"].map { try Data(contentsOf: URL(fileURLWithPath: world.file.path + $0)) }
        }
        let before = try log()
        for _ in 1...10 { #expect(try world.begin().begun.isEmpty) }
        #expect(try log() == before)
    }
}

@Suite struct ObserverCallTests {
    @Test func everyObserverThatWasCalledMustComplete() throws {
        let world = try DeliveryWorld()
        let steps = world.identifier(Names.steps)
        try world.deliveries.setTarget(DeliveryWorld.program, of: DeliveryWorld.app)
        try world.register(Names.steps)
        try world.save(Names.steps)
        let position = try world.save(Names.steps)
        _ = try world.begin()
        let engine = world.engine
        func acknowledged() throws -> Int64? { try world.state().registrations[steps]?.acknowledged }

        let one = engine.observerBegan([steps], of: DeliveryWorld.app)
        let two = engine.observerBegan([steps], of: DeliveryWorld.app)
        let other = engine.observerBegan([steps], of: "org.example.other")
        func called(_ observer: Int, _ after: Int64, _ through: Int64) throws -> Int {
            try #require(engine.observerCalled(observer, for: [steps: (after, through)]))
        }
        let second = try called(two, position - 1, position)
        let foreign = try called(other, 0, position)
        try engine.observerCompleted(second, of: two)
        try engine.observerCompleted(second, of: two)
        try engine.observerCompleted(foreign, of: other)
        // The first observer hasn't looked yet.
        #expect(try acknowledged() == 0)
        let first = try called(one, 0, position)
        #expect(try world.state().inFlight != nil)
        try engine.observerCompleted(first, of: one)
        #expect(try acknowledged() == position)
        #expect(try world.state().deliveries.isEmpty)

        // A later call that completes first acknowledges nothing that an earlier one still handles.
        let third = try called(one, position, position + 1)
        let fourth = try called(one, position + 1, position + 2)
        let fifth = try called(two, position, position + 2)
        try engine.observerCompleted(fourth, of: one)
        try engine.observerCompleted(fifth, of: two)
        #expect(try acknowledged() == position)
        // Looking in vain is handling, as far as the other observer has.
        try engine.observerSkipped(two, [steps: (position + 2, position + 3)], isAcknowledging: true)
        #expect(try acknowledged() == position)
        // After its end, only the calls that it hasn't completed are waited for.
        engine.observerEnded(one)
        try engine.observerSkipped(two, [steps: (position + 3, position + 4)], isAcknowledging: true)
        #expect(try acknowledged() == position)
        try engine.observerCompleted(third, of: one)
        #expect(try acknowledged() == position + 1)
        engine.forgetObserver(one)
        try engine.observerSkipped(two, [steps: (position + 4, position + 5)], isAcknowledging: true)
        #expect(try acknowledged() == position + 5)
        // A completion nobody acknowledges changes nothing.
        let last = try called(two, position + 5, position + 6)
        try engine.observerCompleted(last, of: two, isAcknowledging: false)
        #expect(try acknowledged() == position + 5)
    }

    @Test("A store that a device syncs to, too, keeps the two kinds of deliveries apart")
    func besideDevices() throws {
        let world = try DeliveryWorld()
        try world.deliveries.setTarget(DeliveryWorld.program, of: DeliveryWorld.app)
        try world.deliveries.setFrequency(1, of: "HKQuantityTypeIdentifierStepCount", for: DeliveryWorld.app)
        let header = SyncBatchHeader(device: UUID(), name: "phone", sequence: 1, acknowledged: 0)
        let owner = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "org.example.owner", name: "owner")),
            permission: .owner)
        _ = try world.engine.receive(ReceivedChanges(), header, as: owner)
        #expect(try world.deliveries.applications().keys.sorted() == [DeliveryWorld.app])
        #expect(try world.engine.deliveries().map(\.last) == [header])
    }
}
