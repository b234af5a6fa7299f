import Dispatch
import Foundation
import HealthEngine
import HealthModel
import HealthStorage
import Synchronization

/// One application's way to one engine: who asks, with which permission, by which clock and calendar.
///
/// The engine is opened when first needed. Opening that failed is tried again by the next call, so that a
/// store on a disk that comes later works without a restart.
final class StoreConnection: Sendable {
    /// Which of a connection's calls wait for each other.
    enum Lane {
        /// Reads run side by side.
        case reading
        /// Changes happen in the order they were asked for.
        case writing
        /// Requests for permission: one question at a time in the whole process, as there is one terminal.
        case asking
    }

    /// Where reads do their work and completion handlers are called.
    private static let pool = DispatchQueue(label: "HealthKit.store", attributes: .concurrent)
    private static let asking = DispatchQueue(label: "HealthKit.authorization")
    private let changes = ChangeLane(target: StoreConnection.pool)

    let configuration: HKHealthStore.Configuration
    /// On whose behalf the engine acts.
    let caller: Caller
    /// Tells of changed preferred units once the engine is open.
    let preferences = PreferenceWatch()
    private let registry: EngineRegistry
    private let opened = Mutex<HealthEngine?>(nil)
    private let registrations = Latest<Set<String>>()

    init(
        _ configuration: HKHealthStore.Configuration,
        environment: [String: String] = ProcessInfo.processInfo.environment,
        registry: EngineRegistry = .shared
    ) {
        var configuration = configuration
        if case .automatic = configuration.authorization {
            configuration.authorization = Self.automatic(configuration.location, environment)
        }
        if case .inMemory(name: nil) = configuration.location {
            // A name nobody else has, so that the store is alone but found again by this connection.
            configuration.location = .inMemory(name: "\u{0}\(UUID())")
        }
        self.configuration = configuration
        self.registry = registry
        let permission: Caller.Permission =
            if case .allowAll = configuration.authorization { .allowAll } else { .table }
        caller = Caller(revision: configuration.application.revision, permission: permission)
        if let engine = configuration.engine {
            opened.withLock { $0 = engine }
            preferences.observe(engine)
        }
    }

    private static func automatic(
        _ location: HKHealthStore.Configuration.Location, _ environment: [String: String]
    ) -> HKHealthStore.Configuration.Authorization {
        if case .inMemory = location { return .allowAll }
        return environment["HEALTHKIT_AUTHORIZATION"] == "allow" ? .allowAll : .ask
    }

    var clock: HKHealthStore.Configuration.Clock { configuration.clock }

    /// The engine, opened now if it was not.
    ///
    /// - Throws: storage trouble.
    func engine() throws -> HealthEngine {
        if let engine = opened.withLock({ $0 }) { return engine }
        let engine = try registry.engine(at: configuration.location, clock: configuration.clock)
        let isFirst = opened.withLock { opened in
            defer { opened = engine }
            return opened == nil
        }
        if isFirst {
            preferences.observe(engine)
        }
        return engine
    }

    /// Reads on behalf of the application.
    func reader() throws -> QueryReader {
        QueryReader(engine: try engine(), caller: caller, calendar: configuration.calendar)
    }

    // MARK: Work in the background

    /// Does work on a background thread.
    ///
    /// - Throws: ``HKError``, or `CancellationError` when the task was cancelled before.
    func perform<Value: Sendable>(
        _ lane: Lane = .reading, _ work: @escaping @Sendable (HealthEngine) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        return try await withCheckedThrowingContinuation { continuation in
            enqueue(lane) { continuation.resume(with: self.result(of: work)) }
        }
    }

    /// Changes something, after the changes asked for before.
    ///
    /// A change that is quickly done is tried on the task's own thread first, which spares two changes of
    /// thread: as long as the change itself takes. It never waits there for another writer; while there is one
    /// the change goes to the lane, as others do.
    ///
    /// - Parameter work: Is told whether it may wait for other writers; if not it throws `StorageError` `.busy`
    ///   instead, having done nothing.
    /// - Throws: ``HKError``, or `CancellationError` when the task was cancelled before.
    func write<Value: Sendable>(
        isBrief: Bool, _ work: @escaping @Sendable (_ engine: HealthEngine, _ waiting: Bool) throws -> Value
    ) async throws -> Value {
        try Task.checkCancellation()
        if isBrief, let engine = opened.withLock({ $0 }), changes.enterIfIdle() {
            defer { changes.leave() }
            do {
                return try work(engine, false)
            } catch let error as StorageError where error.kind == .busy {
                // Somebody else writes.
            } catch {
                throw HKError.make(error)
            }
        }
        return try await perform(.writing) { try work($0, true) }
    }

    /// Reads on a background thread.
    ///
    /// - Throws: ``HKError``, or `CancellationError` when the task was cancelled before.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (QueryReader) throws -> Value
    ) async throws -> Value {
        let (caller, calendar) = (caller, configuration.calendar)
        return try await perform { engine in
            try work(QueryReader(engine: engine, caller: caller, calendar: calendar))
        }
    }

    /// Does work on a background thread and calls back on one, exactly once; errors are ``HKError``.
    func perform<Value: Sendable>(
        _ lane: Lane = .reading, _ work: @escaping @Sendable (HealthEngine) throws -> Value,
        completion: @escaping @Sendable (Result<Value, any Error>) -> Void
    ) {
        enqueue(lane) {
            let result = self.result(of: work)
            // Not in the lane: a handler that waits for another change would wait for ever.
            Self.pool.async { completion(result) }
        }
    }

    private func result<Value>(of work: (HealthEngine) throws -> Value) -> Result<Value, any Error> {
        do {
            return .success(try work(try engine()))
        } catch {
            return .failure(HKError.make(error))
        }
    }

    private func enqueue(_ lane: Lane, _ work: @escaping @Sendable () -> Void) {
        switch lane {
        case .reading: Self.pool.async(execute: work)
        case .writing: changes.async(work)
        case .asking: Self.asking.async(execute: work)
        }
    }

    // MARK: Background delivery

    /// Whether one of the types is registered for background delivery to this application.
    func deliversInBackground(_ types: Set<HKSampleType>) -> Bool {
        let registered: Set<String>
        if let known = registrations.value {
            registered = known
        } else {
            guard let stored = try? engine().deliveryRegistrations(of: caller.bundleIdentifier) else {
                return false
            }
            registered = Set(stored.keys)
            registrations.set(registered)
        }
        return types.contains { registered.contains($0.identifier) }
    }

    /// Forgets what was read of the registrations, after they changed.
    func registrationsChanged(_ identifiers: Set<String>) {
        registrations.set(identifiers)
    }
}
