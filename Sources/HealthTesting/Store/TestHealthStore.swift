public import Foundation
package import HealthEngine
public import HealthKit
import HealthModel
package import HealthStorage
import Synchronization

/// A store in memory for one test, which controls everything that the system decides on a device: authorization, the
/// data of other apps, the time, background deliveries and failures.
///
/// Pass ``store``, an ordinary `HKHealthStore`, to the code under test. The other members play the parts of the person,
/// the device and other apps.
///
/// ```swift
/// let health = TestHealthStore()
/// try health.plant([steps], from: .watch)
/// let model = StepModel(store: health.store)
/// ```
///
/// Instances are independent, so tests may run in parallel. You can use a store from any thread.
public final class TestHealthStore: Sendable {
    /// The store of the app under test.
    public let store: HKHealthStore
    /// The clock of the store and of everything that waits for it.
    public let clock: TestClock
    /// The app under test.
    public let application: HKHealthStore.Configuration.Application

    package let engine: HealthEngine
    private let storage: FaultStorage
    private let faults = FaultPlan()
    private let availability = DeviceAvailability()
    private let configuration: HKHealthStore.Configuration
    private let asked: RequestLog

    /// Creates an empty store.
    ///
    /// - Parameters:
    ///   - application: The app under test, which is the source of the samples it saves.
    ///   - permission: The person's decision about the app.
    ///   - now: The initial time of the clock.
    ///   - calendar: The calendar that determines the days of activity summaries. The default is in UTC, so that
    ///     results do not depend on the machine.
    public convenience init(
        application: HKHealthStore.Configuration.Application = TestHealthStore.exampleApplication,
        permission: TestPermission = .granted, now: Date = TestClock.start,
        calendar: Calendar = TestHealthStore.utcCalendar
    ) {
        do {
            try self.init(
                contents: StorageProviders.shared.openInMemory(), application: application, permission: permission,
                now: now, calendar: calendar)
        } catch {
            preconditionFailure("Opening a store in memory failed: \(error)")
        }
    }

    /// Creates a store over contents in memory.
    ///
    /// - Throws: What opening the contents throws.
    package init(
        contents: any HealthStorage, application: HKHealthStore.Configuration.Application, permission: TestPermission,
        now: Date, calendar: Calendar
    ) throws {
        let (clock, asked) = (TestClock(now: now), RequestLog())
        storage = FaultStorage(contents, faults)
        engine = try HealthEngine(
            storage: storage, configuration: EngineConfiguration(now: { clock.now.timeIntervalSinceReferenceDate }))
        let configuration = HKHealthStore.Configuration(
            location: .inMemory(name: nil), application: application,
            authorization: .handler { request in
                asked.add(request)
                return if case .undecided(let answer) = permission { answer(request) } else { .none }
            }, clock: clock.clock, calendar: calendar)
        self.clock = clock
        self.asked = asked
        self.application = application
        self.configuration = configuration
        store = HKHealthStore(configuration: configuration, engine: engine, availability: availability)
        availability.injectedFailures.withLock { [faults] in $0 = { faults.pass($0) } }
        switch permission {
        case .granted: decideEverything(.authorized)
        case .denied: decideEverything(.denied)
        case .undecided: break
        }
    }

    /// The app under test, unless a test names another one.
    public static let exampleApplication = HKHealthStore.Configuration.Application(
        bundleIdentifier: "org.example.application", name: "Example", version: "1.0")

    /// A Gregorian calendar in UTC.
    public static let utcCalendar: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        calendar.locale = Locale(identifier: "en_US_POSIX")
        return calendar
    }()

    /// A store with the same data for another app, which is authorized to access everything.
    public func store(of other: HKHealthStore.Configuration.Application) -> HKHealthStore {
        var configuration = configuration
        configuration.application = other
        configuration.isOtherApplication = true
        configuration.authorization = .allowAll
        return HKHealthStore(configuration: configuration, engine: engine, availability: availability)
    }

    // MARK: Permission

    /// The authorization requests that prompted the person, in order.
    public var permissionRequests: [HKHealthStore.Configuration.AuthorizationRequest] { asked.all }

    /// Authorizes the app under test to share and read types, as a person does in Settings.
    ///
    /// - Parameter since: The start of the history that may be read: samples that end before it are left out of every
    ///   query. It applies to sample types. `nil` for all history.
    public func grant(share: Set<HKSampleType> = [], read: Set<HKObjectType> = [], since: Date? = nil) {
        decide(.authorized, share: share, read: read, since: since)
    }

    /// Denies the app under test access to types, as a person does in Settings.
    public func deny(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        decide(.denied, share: share, read: read)
    }

    /// Resets decisions, as if the app had never requested authorization.
    public func forgetDecisions(share: Set<HKSampleType> = [], read: Set<HKObjectType> = []) {
        decide(.notDetermined, share: share, read: read)
    }

    private func decide(
        _ decision: TypeAuthorization.Decision, share: Set<HKSampleType>, read: Set<HKObjectType>, since: Date? = nil
    ) {
        settled {
            var decisions = try engine.authorization.decisions(bundleIdentifier: application.bundleIdentifier)
            for type in share {
                guard let code = try type.code(in: engine) else { continue }
                decisions[code, default: TypeAuthorization()].share = decision
            }
            for type in read {
                guard let code = try type.code(in: engine) else { continue }
                decisions[code, default: TypeAuthorization()].read = decision
                decisions[code]?.earliest = since?.timeIntervalSinceReferenceDate
            }
            try engine.authorization.set(decisions, bundleIdentifier: application.bundleIdentifier)
        }
    }

    private func decideEverything(_ decision: TypeAuthorization.Decision) {
        settled {
            let both = TypeAuthorization(share: decision, read: decision)
            try engine.authorization.set(
                Dictionary(uniqueKeysWithValues: TypeCatalog.all.map { ($0.code, both) }),
                bundleIdentifier: application.bundleIdentifier)
        }
    }

    /// Changes decisions. They are not subject to injected faults, because a fault that affects one would be a mistake
    /// of the test.
    private func settled(_ work: () throws -> Void) {
        do {
            try work()
        } catch {
            preconditionFailure("An injected fault affected an authorization decision: \(error)")
        }
    }

    // MARK: The device

    /// Locks the device: reading health data, characteristics and preferred units fails with
    /// `errorDatabaseInaccessible`, while saving still works, as on a locked iPhone. `finishWorkout` saves the workout
    /// and returns `nil`.
    public func lockDevice() {
        storage.lock()
        availability.isLocked = true
    }

    /// Unlocks the device. Long-running queries read what they failed to read meanwhile, after ``holdUpdates()`` when
    /// updates are delivered.
    public func unlockDevice() {
        storage.unlock()
        availability.isLocked = false
        engine.announceAvailability()
    }

    /// Runs a body as on a device without health data: `HKHealthStore.isHealthDataAvailable()` returns `false` in it
    /// and in its child tasks, and every call of this test's stores fails with `errorHealthDataUnavailable`.
    public func withoutHealthData<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        try await availability.withoutHealthData(body)
    }

    /// Makes some of the next calls fail, counted from now: calls of HealthKit with an error of the test’s choice, or
    /// calls of the storage, whose HealthKit operation then fails with `errorDatabaseInaccessible`. An operation that
    /// fails changes nothing, except at ``Fault/Point/afterCommit``. A fault replaces the one before it; pass `nil` to
    /// remove it.
    public func inject(_ fault: Fault?) {
        faults.set(fault)
    }

    /// The number of storage calls at `point` since the last ``inject(_:)``, and thus of places where the code under
    /// test can fail.
    public func calls(at point: Fault.Point) -> Int {
        faults.count(of: .storage(point))
    }

    /// The number of HealthKit’s calls since the last ``inject(_:)``, those that failed included.
    public func calls(of call: Fault.Call) -> Int {
        faults.count(of: .healthKit(call))
    }

    // MARK: Workout sessions on two devices

    /// Pairs this store's device, as an Apple Watch, with an iPhone: a session of ``store`` that is mirrored is passed to the
    /// `workoutSessionMirroringStartHandler` of the iPhone's store, and each of the two sends data to the other's delegate.
    ///
    /// ```swift
    /// let (watch, phone) = (TestHealthStore(), TestHealthStore())
    /// watch.pair(with: phone)
    /// phone.store.workoutSessionMirroringStartHandler = { mirrored in … }
    /// let session = try HKWorkoutSession(healthStore: watch.store, configuration: configuration)
    /// try await session.startMirroringToCompanionDevice()
    /// ```
    ///
    /// - Parameter startWatchApp: Starts the watch app, as the system does when the iPhone app calls `startWatchApp`. It is
    ///   called on a background thread.
    public func pair(
        with phone: TestHealthStore, startWatchApp: @escaping @Sendable (HKWorkoutConfiguration) -> Void = { _ in }
    ) {
        availability.companion.withLock { $0 = phone.store }
        phone.availability.startWatchApp.withLock { $0 = startWatchApp }
    }

    /// Interrupts the connection between a session and the one on the other device: the delegates of both are notified.
    public func disconnect(_ session: HKWorkoutSession, error: (any Error)? = nil) {
        session.loseConnection(error)
    }

    // MARK: Background delivery

    /// Delays updates: observer queries and all other long-running queries are notified only by
    /// ``deliverUpdates()``.
    public func holdUpdates() {
        engine.holdNotifications()
    }

    /// Notifies long-running queries of delayed changes. Later changes are delayed again.
    public func deliverUpdates() {
        engine.deliverHeldNotifications()
    }

    /// Notifies long-running queries of delayed changes, and of all later ones immediately.
    public func releaseUpdates() {
        engine.releaseNotifications()
    }

    /// Calls the observer queries of types without a change, as the system may do at any time.
    ///
    /// - Throws: Injected faults.
    public func deliverBackgroundUpdate(for types: Set<HKSampleType>) throws {
        try engine.announce(Set(types.compactMap { try $0.code(in: engine) }))
    }
}

extension TestHealthStore {
    /// Saves objects from another source, such as a watch, a scale or the Health app. They may be of types that apps
    /// cannot write. Observers are notified.
    ///
    /// - Parameter device: The device that recorded the objects; `nil` keeps the objects' own devices.
    /// - Throws: `HKError` as for saving, such as for a UUID that exists already, and injected faults.
    public func plant(_ objects: [HKObject], from source: TestSource = .watch, device: HKDevice? = nil) throws {
        try store.plant(objects, as: source.record, device: device)
    }

    /// Saves daily activity rings, as a watch does. `HKActivitySummaryQuery` returns them; samples of a day take
    /// precedence over the values saved for it.
    ///
    /// - Throws: `HKError` as for saving, and injected faults.
    public func plant(_ summaries: [HKActivitySummary], from source: TestSource = .watch) throws {
        try store.plant(summaries, as: source.record)
    }

    /// Saves symptoms for a planted electrocardiogram of the same source.
    ///
    /// - Throws: `HKError` as for saving, such as for an electrocardiogram that isn't planted, and injected faults.
    public func plant(
        symptoms: [HKCategorySample], of electrocardiogram: HKElectrocardiogram, from source: TestSource = .watch
    ) async throws {
        let device = store(of: .init(bundleIdentifier: source.bundleIdentifier, name: source.name))
        try await device.associate(symptoms, with: electrocardiogram)
    }

    /// Saves the person's medications. With ``TestPermission/granted``, all of them may be read; otherwise the app
    /// must request access with `requestPerObjectReadAuthorization`.
    ///
    /// - Throws: `HKError` as for saving, and injected faults.
    public func plant(_ medications: [HKUserAnnotatedMedication], from source: TestSource = .healthApplication) throws {
        try store.plant(medications, as: source.record)
    }

    /// Sets the person's characteristics. Those that are `nil` are removed.
    ///
    /// - Throws: Injected faults.
    public func setCharacteristics(_ characteristics: TestCharacteristics) throws {
        try engine.profile.update { profile in
            profile.dateOfBirth = characteristics.dateOfBirth.flatMap { date in
                guard let year = date.year, let month = date.month, let day = date.day else { return nil }
                return .init(year: year, month: month, day: day)
            }
            profile.biologicalSex = characteristics.biologicalSex?.rawValue
            profile.referenceSex = characteristics.referenceSex?.rawValue
            profile.bloodType = characteristics.bloodType?.rawValue
            profile.fitzpatrickSkinType = characteristics.fitzpatrickSkinType?.rawValue
            profile.wheelchairUse = characteristics.wheelchairUse?.rawValue
            profile.activityMoveMode = characteristics.activityMoveMode?.rawValue
        }
    }
}

/// A person's decision about the app under test in a ``TestHealthStore``.
public enum TestPermission: Sendable {
    /// Access to all types is authorized; requests do not prompt the person.
    case granted
    /// Access to all types is denied: saving fails, and queries return no data.
    case denied
    /// No decision has been made. The closure answers a request, on a background thread; types that it omits are
    /// denied.
    case undecided(
        answer:
            @Sendable (HKHealthStore.Configuration.AuthorizationRequest)
            -> HKHealthStore.Configuration.AuthorizationAnswer)

    /// No decision has been made. The first request is granted in full.
    public static var undecided: TestPermission { .undecided { .all($0) } }
}

/// The authorization requests that prompted the person.
final class RequestLog: Sendable {
    private let requests = Mutex<[HKHealthStore.Configuration.AuthorizationRequest]>([])

    var all: [HKHealthStore.Configuration.AuthorizationRequest] { requests.withLock { $0 } }

    func add(_ request: HKHealthStore.Configuration.AuthorizationRequest) {
        requests.withLock { $0.append(request) }
    }
}
