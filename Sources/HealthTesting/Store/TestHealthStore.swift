public import Foundation
import HealthEngine
public import HealthKit
import HealthModel
import HealthStorage
import Synchronization

/// A store in memory for one test, with everything in the test's hand that the system decides on a phone:
/// permission, other applications' data, the time, background deliveries, failures.
///
/// Hand ``store`` to the code under test; it is an ordinary `HKHealthStore`. Everything else here plays
/// the part of the person, the device and the other applications.
///
/// ```swift
/// let health = TestHealthStore()
/// try health.plant([steps], from: .watch)
/// let model = StepModel(store: health.store)
/// ```
///
/// Each instance is alone, so tests may run side by side. May be used from any thread.
public final class TestHealthStore: Sendable {
    /// The store as the application under test sees it.
    public let store: HKHealthStore
    /// The time by which the store and everything it waits for go.
    public let clock: TestClock
    /// Who the application under test is.
    public let application: HKHealthStore.Configuration.Application

    let engine: HealthEngine
    private let storage: FaultStorage
    private let configuration: HKHealthStore.Configuration
    private let asked: RequestLog

    /// A new, empty store.
    ///
    /// - Parameters:
    ///   - application: who the application under test is; the sources of what it saves.
    ///   - permission: what the person has decided about this application.
    ///   - now: where the clock begins.
    ///   - calendar: cuts days for activity summaries; UTC unless told otherwise, so that results do not
    ///     depend on the machine.
    public init(
        application: HKHealthStore.Configuration.Application = .init(
            bundleIdentifier: "org.example.application", name: "Example", version: "1.0"),
        permission: TestPermission = .granted, now: Date = TestClock.start,
        calendar: Calendar = TestHealthStore.utcCalendar
    ) {
        let (storage, clock, asked) = (FaultStorage(InMemoryStorage()), TestClock(now: now), RequestLog())
        do {
            engine = try HealthEngine(
                storage: storage,
                configuration: EngineConfiguration(now: { clock.now.timeIntervalSinceReferenceDate }))
        } catch {
            preconditionFailure("A store in memory always opens: \(error)")
        }
        let configuration = HKHealthStore.Configuration(
            location: .inMemory(name: nil), application: application,
            authorization: .handler { request in
                asked.add(request)
                return if case .undecided(let answer) = permission { answer(request) } else { .none }
            }, clock: clock.clock, calendar: calendar)
        self.storage = storage
        self.clock = clock
        self.asked = asked
        self.application = application
        self.configuration = configuration
        store = HKHealthStore(configuration: configuration, engine: engine)
        switch permission {
        case .granted: decideEverything(.authorized)
        case .denied: decideEverything(.denied)
        case .undecided: break
        }
    }

    /// A Gregorian calendar in UTC.
    public static let utcCalendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US_POSIX")
        return calendar
    }()

    /// The same data as another application sees it, to which everything is permitted.
    public func store(of other: HKHealthStore.Configuration.Application) -> HKHealthStore {
        var configuration = configuration
        configuration.application = other
        configuration.authorization = .allowAll
        return HKHealthStore(configuration: configuration, engine: engine)
    }

    // MARK: Permission

    /// The requests for permission that reached the person, in order: those with something to decide.
    public var permissionRequests: [HKHealthStore.Configuration.AuthorizationRequest] { asked.all }

    /// The person permits the application under test to write and read types, as in Settings.
    public func grant(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        decide(.authorized, share: share, read: read)
    }

    /// The person refuses types to the application under test, as in Settings.
    public func deny(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        decide(.denied, share: share, read: read)
    }

    /// Takes decisions back, as if the application had never asked.
    public func forgetDecisions(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        decide(.notDetermined, share: share, read: read)
    }

    private func decide(
        _ decision: TypeAuthorization.Decision, share: Set<HKSampleType>, read: Set<HKObjectType>
    ) {
        settled {
            var decisions = try engine.authorizations(bundleIdentifier: application.bundleIdentifier)
            for type in share {
                guard let code = try type.code(in: engine) else { continue }
                decisions[code, default: TypeAuthorization()].share = decision
            }
            for type in read {
                guard let code = try type.code(in: engine) else { continue }
                decisions[code, default: TypeAuthorization()].read = decision
            }
            try engine.setAuthorizations(decisions, bundleIdentifier: application.bundleIdentifier)
        }
    }

    private func decideEverything(_ decision: TypeAuthorization.Decision) {
        settled {
            let both = TypeAuthorization(share: decision, read: decision)
            try engine.setAuthorizations(
                Dictionary(uniqueKeysWithValues: TypeCatalog.all.map { ($0.code, both) }),
                bundleIdentifier: application.bundleIdentifier)
        }
    }

    /// Decisions do not fail: they are made before faults are injected, and a fault that meets one is a
    /// mistake of the test.
    private func settled(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            preconditionFailure("A decision met an injected fault: \(error)")
        }
    }

    // MARK: The device

    /// Locks the device: reading health data fails with `errorDatabaseInaccessible`, saving goes on, as on
    /// a locked phone.
    public func lockDevice() {
        storage.lock()
    }

    /// Unlocks the device.
    public func unlockDevice() {
        storage.unlock()
    }

    /// Lets one coming storage call fail, counted from here; the call of HealthKit that needs it then fails
    /// with `errorDatabaseInaccessible` and changes nothing. `nil` takes a fault back that has not come up.
    public func inject(_ fault: Fault?) {
        storage.inject(fault)
    }

    /// Storage calls counted at `point` since the last ``inject(_:)``: in how many places a piece of code
    /// can fail.
    public func calls(at point: Fault.Point) -> Int {
        storage.calls(at: point)
    }

    // MARK: Background delivery

    /// Keeps word of changes back: observer queries and everything else that stays hear only when
    /// ``deliverUpdates()`` is called.
    public func holdUpdates() {
        engine.holdNotices()
    }

    /// Tells the queries that stay of the changes kept back. What is saved later waits again.
    public func deliverUpdates() {
        engine.deliverHeldNotices()
    }

    /// Tells them of the changes kept back, and of every later one at once.
    public func releaseUpdates() {
        engine.releaseNotices()
    }

    /// Wakes the observer queries of whole types although nothing changed, as the system may at any time.
    public func deliverBackgroundUpdate(for types: Set<HKSampleType>) throws {
        try engine.announce(Set(types.compactMap { try $0.code(in: engine) }))
    }
}
