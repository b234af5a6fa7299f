import Dispatch
import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

/// One application's connection to one engine, with its permission, clock and calendar.
///
/// The engine is opened on first use. After a failure the next call tries again, so that a store on a disk
/// that is mounted later works without a restart.
package final class StoreConnection: Sendable {
    /// Which of a connection's calls wait for each other.
    package enum Lane: Hashable, Sendable {
        /// Reads run concurrently.
        case reading
        /// Changes run in the order of the calls.
        case writing
        /// Deletions run in the order of the calls, too.
        case deleting
        /// Authorization requests run one at a time in the whole process, because there is one terminal.
        case asking
    }

    private static let asking = DispatchQueue(label: "HealthKit.authorization")
    private let changes = DispatchQueue(label: "HealthKit.writing")

    let configuration: HKHealthStore.Configuration
    /// The application on whose behalf the engine acts.
    let caller: Caller
    /// Reports changed preferred units once the engine is open.
    let preferences = PreferenceWatch()
    private let registry: EngineRegistry
    private let opened = Mutex<HealthEngine?>(nil)
    /// Forgotten whenever a setting of the store changes, in any process.
    private let registrations = LockedValue<BackgroundRegistrations>()
    private let enablings = Mutex(0)
    /// How often this process has registered a type for background delivery.
    var backgroundEnablings: Int { enablings.withLock { $0 } }

    init(
        _ configuration: HKHealthStore.Configuration,
        environment: [String: String] = ProcessInfo.processInfo.environment, registry: EngineRegistry = .shared
    ) {
        var configuration = configuration
        if case .automatic = configuration.authorization {
            configuration.authorization = Self.automatic(configuration.location, environment)
        }
        if case .inMemory(name: nil) = configuration.location {
            // A unique name, so that the store is not shared but found again by this connection.
            configuration.location = .inMemory(name: "\u{0}\(UUID())")
        }
        self.configuration = configuration
        self.registry = registry
        let permission: Caller.Permission =
            if case .allowAll = configuration.authorization { .allowAll } else { .table }
        caller = Caller(revision: configuration.application.revision.record, permission: permission)
        if let engine = configuration.openEngine?.engine {
            opened.withLock { $0 = engine }
            observeSettings(of: engine)
        }
        // Another program's application in a test is not this process's.
        if !configuration.isOtherApplication { ProcessApplication.add(caller.revision) }
    }

    private static func automatic(
        _ location: HKHealthStore.Configuration.Location, _ environment: [String: String]
    ) -> HKHealthStore.Configuration.Authorization {
        if case .inMemory = location { return .allowAll }
        return environment["HEALTHKIT_AUTHORIZATION"] == "allow" ? .allowAll : .ask
    }

    var clock: HKHealthStore.Configuration.Clock { configuration.clock }

    /// Whether the device has health data; `false` only in tests.
    private var isAvailable: Bool { configuration.openEngine?.availability.isAvailable ?? true }

    /// Whether the device is locked; `true` only in tests.
    var isLocked: Bool { configuration.openEngine?.availability.isLocked ?? false }

    /// The engine, opened if necessary.
    ///
    /// - Throws: storage errors, and ``HKError/errorHealthDataUnavailable``.
    func engine() throws -> HealthEngine {
        guard isAvailable else {
            throw HKError.make(.errorHealthDataUnavailable, "Health data is unavailable on this device.")
        }
        if let engine = opened.withLock({ $0 }) { return engine }
        let engine = try registry.engine(
            at: configuration.location, clock: configuration.clock, key: configuration.encryptionKey)
        let isFirst = opened.withLock { opened in
            defer { opened = engine }
            return opened == nil
        }
        if isFirst {
            observeSettings(of: engine)
        }
        return engine
    }

    private func observeSettings(of engine: HealthEngine) {
        preferences.observe(engine) { [registrations] in registrations.clear() }
    }

    /// Reads on behalf of the application.
    func reader() throws -> QueryReader {
        QueryReader(engine: try engine(), caller: caller, calendar: configuration.calendar)
    }

    // MARK: Work in the background

    /// Performs work on a background thread and calls back on one, exactly once; errors are ``HKError``.
    func perform<Value: Sendable>(
        _ work: StoreWork<Value>, completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        start(work) { result in
            // Not in the lane: a handler that waits for another change would deadlock.
            DispatchQueue(label: "HealthKit.completion").async { completion(result) }
        }
    }

    /// Performs work on a background thread.
    ///
    /// - Throws: ``HKError``, or `CancellationError` if the task is already cancelled.
    func perform<Value: Sendable>(_ work: StoreWork<Value>) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            start(work) { continuation.resume(with: $0) }
        }
    }

    /// Performs work in its lane, or reports the failure that a test injected.
    private func start<Value: Sendable>(
        _ work: StoreWork<Value>, completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        guard let failure = injectedFailure(in: work.lane) else {
            return enqueue(work.lane) { completion(self.result(of: work.body)) }
        }
        fail(failure) { error in self.enqueue(work.lane) { completion(.failure(error)) } }
    }

    /// The failure of the next call in a lane; `nil` except in tests.
    func injectedFailure(in lane: Lane) -> InjectedFailure? {
        configuration.openEngine?.availability.injectedFailures.withLock { $0 }?(lane)
    }

    /// Reports a failure when it is due.
    func fail(_ failure: InjectedFailure, _ report: @escaping @Sendable (HKError) -> Void) {
        guard failure.delay > 0 else { return report(failure.error) }
        clock.after(failure.delay) { report(failure.error) }
    }

    /// Reads on a background thread.
    ///
    /// - Throws: ``HKError``, or `CancellationError` if the task is already cancelled.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (QueryReader) throws -> Value
    ) async throws -> Value {
        let (caller, calendar) = (caller, configuration.calendar)
        return try await perform(
            StoreWork(.reading, engine: { try work(QueryReader(engine: $0, caller: caller, calendar: calendar)) }))
    }

    private func result<Value>(of work: (HealthEngine) throws -> Value) -> Result<Value, any Error> {
        do {
            return .success(try work(try engine()))
        } catch {
            return .failure(HKError.make(error))
        }
    }

    /// Runs work on a serial queue, which gets a thread at once. A concurrent queue shares as many threads as there are
    /// processors with the rest of the program: where those wait for HealthKit, the system adds only one each second.
    private func enqueue(_ lane: Lane, _ work: @escaping @Sendable () -> Void) {
        switch lane {
        case .reading: DispatchQueue(label: "HealthKit.reading").async(execute: work)
        case .writing, .deleting: changes.async(execute: work)
        case .asking: Self.asking.async(execute: work)
        }
    }

    // MARK: Saving and deleting

    /// Saves objects, all or none.
    func saving(_ objects: [HKObject]) -> StoreWork<Void> {
        StoreWork(.writing, engine: { [self] in _ = try $0.save(items(objects), as: caller) })
    }

    /// The records of objects to save.
    ///
    /// - Throws: `ValidationError` for a sample that is longer than the configuration allows.
    func items(_ objects: [HKObject]) throws -> [SaveItem] {
        try validateDurations(of: objects)
        return try RecordEncoder.items(objects)
    }

    /// Throws `ValidationError` for a sample that is longer than the configuration allows.
    func validateDurations(of objects: [HKObject]) throws {
        guard !configuration.maximumDurations.isEmpty else { return }
        for case let sample as HKSample in objects { try validateDuration(of: sample) }
    }

    private func validateDuration(of sample: HKSample) throws {
        if let maximum = configuration.maximumDurations[sample.sampleType] {
            try RecordValidation.validateDuration(
                sample.end - sample.start, maximum: maximum, identifier: sample.sampleType.identifier)
        }
        for member in (sample as? HKCorrelation)?.objects ?? [] {
            try validateDuration(of: member)
        }
    }

    /// Saves samples if necessary and adds them to a stored object.
    func addingMembers(_ samples: [HKSample], to owner: HKObject) -> StoreWork<Void> {
        let identity = owner.uuid
        return StoreWork(
            .writing,
            engine: { [self] engine in
                try engine.addMembers(memberRecords(samples), toObject: identity, as: caller)
            })
    }

    /// Deletes objects of this application, all or none.
    func deleting(_ identities: [UUID]) -> StoreWork<Void> {
        let caller = caller
        return StoreWork(.deleting, engine: { try $0.delete(identities, as: caller) })
    }

    /// Deletes the matching objects of this application and returns their number.
    func deleting(_ part: QueryPart) -> StoreWork<Int> {
        let (caller, calendar) = (caller, configuration.calendar)
        return StoreWork(
            .deleting,
            engine: { engine in
                guard let code = try engine.code(of: part.identifier) else { return 0 }
                let reader = QueryReader(engine: engine, caller: caller, calendar: calendar)
                return try engine.deleteObjects(of: code, matching: reader.exactFilter(part), as: caller)
            })
    }

    // MARK: Background delivery

    /// Registers a type for background delivery; `nil` removes the registration.
    func registering(_ type: HKObjectType, _ frequency: HKUpdateFrequency?) -> StoreWork<Void> {
        StoreWork(
            .writing,
            engine: { [self] engine in
                try engine.backgroundDelivery.setFrequency(
                    frequency?.rawValue, of: type.identifier, for: caller.bundleIdentifier)
                if frequency != nil { enablings.withLock { $0 += 1 } }
                registrations.clear()
            })
    }

    /// Removes all registrations of this application.
    func removingRegistrations() -> StoreWork<Void> {
        StoreWork(
            .writing,
            engine: { [self] engine in
                try engine.backgroundDelivery.removeAll(of: caller.bundleIdentifier)
                registrations.clear()
            })
    }

    /// The registrations of this application for background delivery; `nil` if the store can't be read.
    func backgroundRegistrations() -> BackgroundRegistrations? {
        if let known = registrations.value { return known }
        let clearings = registrations.clearings
        let found: BackgroundApplication?
        do {
            found = try engine().backgroundDelivery.application(caller.bundleIdentifier)
        } catch {
            return nil
        }
        let registered =
            found.map {
                BackgroundRegistrations(types: Set($0.registrations.keys), isReachable: $0.target != nil)
            } ?? BackgroundRegistrations()
        registrations.set(registered, readAfter: clearings)
        return registered
    }

    /// The last sequence number that this application acknowledged of a type; `nil` if the type isn't registered for
    /// background delivery, or the application is not started for it.
    func acknowledgedPosition(of identifier: String) -> Int64? {
        guard let registered = backgroundRegistrations(), registered.isReachable, registered.types.contains(identifier)
        else { return nil }
        let application = try? engine().backgroundDelivery.application(caller.bundleIdentifier)
        return application?.registrations[identifier]?.acknowledged
    }

    /// Records that an observer of this application begins. Returns its number; `nil` if the store can't be opened.
    func observerBegan(_ types: [String]) -> Int? {
        try? engine().observerBegan(types, of: caller.bundleIdentifier)
    }

    /// Records that an observer is called. Returns the number of the call.
    func observerCalled(_ observer: Int, for checks: [ObservedCheck]) -> Int? {
        try? engine().observerCalled(observer, for: Self.ranges(checks))
    }

    /// Records that an observer need not be called. Changes that it left out are acknowledged; if that can't be
    /// written, they are delivered again.
    func observerSkipped(_ observer: Int, _ checks: [ObservedCheck]) {
        let touched = checks.filter(\.isTouched)
        try? engine().observerSkipped(observer, Self.ranges(checks.filter { !$0.isTouched }), isAcknowledging: false)
        guard !touched.isEmpty else { return }
        try? engine().observerSkipped(
            observer, Self.ranges(touched), isAcknowledging: backgroundRegistrations()?.isReachable ?? false)
    }

    /// Records that an observer completed a call. If that can't be written, the delivery is repeated.
    func observerCompleted(_ call: Int, of observer: Int) {
        try? engine().observerCompleted(
            call, of: observer, isAcknowledging: backgroundRegistrations()?.isReachable ?? false)
    }

    /// Records that an observer ended, with its calls if they can no longer be completed.
    func observerEnded(_ observer: Int, withCalls: Bool) {
        let engine = opened.withLock { $0 }
        withCalls ? engine?.forgetObserver(observer) : engine?.observerEnded(observer)
    }

    private static func ranges(_ checks: [ObservedCheck]) -> [String: (after: Int64, through: Int64)] {
        Dictionary(checks.map { ($0.identifier, (after: $0.after, through: $0.through)) }) {
            (min($0.after, $1.after), min($0.through, $1.through))
        }
    }
}

/// The registrations of an application for background delivery.
struct BackgroundRegistrations: Sendable {
    /// The identifiers of the types.
    var types: Set<String> = []
    /// Whether the application is started or called when it doesn't run, so that acknowledgements count.
    var isReachable = false
}

/// Work to perform on a connection's engine, in one of its lanes.
struct StoreWork<Value: Sendable>: Sendable {
    let lane: StoreConnection.Lane
    let body: @Sendable (HealthEngine) throws -> Value

    init(_ lane: StoreConnection.Lane, engine body: @escaping @Sendable (HealthEngine) throws -> Value) {
        self.lane = lane
        self.body = body
    }

    /// Work that needs an open store, but not its engine.
    init(_ lane: StoreConnection.Lane, _ body: @escaping @Sendable () throws -> Value) {
        self.init(lane, engine: { _ in try body() })
    }
}

extension Result {
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }

    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}

extension StoreConnection {
    /// Whether the same can succeed later, as when another program has released the store.
    static func isPassing(_ error: any Error) -> Bool { kind(ofPassing: error) != nil }

    /// The name of the kind of such an error; `nil` for others.
    static func kind(ofPassing error: any Error) -> String? {
        guard let kind = (error as? StorageError)?.kind, kind.isPassing else { return nil }
        return "\(kind)"
    }
}

extension HKError {
    /// Whether the store was only temporarily unavailable, so that a long-running query continues by itself.
    package var isPassing: Bool {
        (userInfo[NSUnderlyingErrorKey] as? any Error).map(StoreConnection.isPassing) ?? false
    }

    /// The error that an application gets for an error of the lower layers, with the original's code and text.
    static func make(_ error: any Error) -> any Error {
        switch error {
        case let error as HKError:
            error
        case let error as EngineError:
            make(error)
        case let error as ValidationError:
            make(.errorInvalidArgument, error.reason)
        case let error as InvalidObjectError:
            make(.errorInvalidArgument, error.reason)
        case let error as StorageError:
            make(.errorDatabaseInaccessible, error.description, underlying: error)
        case is CancellationError:
            error
        default:
            make(.unknownError, "\(error)", underlying: error)
        }
    }

    private static func make(_ error: EngineError) -> HKError {
        switch error {
        case .invalidArgument(let reason): make(.errorInvalidArgument, reason)
        case .authorizationDenied: make(.errorAuthorizationDenied, "Not authorized")
        case .authorizationNotDetermined:
            make(.errorAuthorizationNotDetermined, "Authorization not determined")
        case .noData: make(.errorNoData, "No data available for the specified predicate.")
        case .invalidAnchor: make(.errorInvalidArgument, "The anchor is invalid.")
        }
    }
}
