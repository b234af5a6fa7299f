import Foundation
package import HealthEngine
package import HealthModel
package import Synchronization

// The test kit acts as the system and as other applications.
extension HKHealthStore {
    /// Creates a connection to an open engine.
    package convenience init(configuration: Configuration, engine: HealthEngine, availability: DeviceAvailability) {
        var configuration = configuration
        configuration.openEngine = OpenEngine(engine: engine, availability: availability)
        self.init(configuration: configuration)
    }

    /// Saves objects on behalf of another source, whatever this application is authorized to do.
    package func plant(_ objects: [HKObject], as revision: SourceRevisionRecord, device: HKDevice?) throws {
        try plant(revision) {
            try RecordEncoder.items(objects).map { item in
                guard let device else { return item }
                switch item {
                case .sample(var record):
                    record.device = device.record
                    return .sample(record)
                case .object(var record):
                    record.device = device.record
                    return .object(record)
                }
            }
        }
    }

    /// Saves items on behalf of another source, whatever this application is authorized to do.
    func plant(_ revision: SourceRevisionRecord, _ items: () throws -> [SaveItem]) throws {
        do {
            _ = try connection.engine().save(items(), as: Caller(revision: revision, permission: .allowAll))
        } catch {
            throw HKError.make(error)
        }
    }
}

/// A device that may be without health data for the duration of a test, or locked, and may be paired with another one.
package final class DeviceAvailability: Sendable {
    /// The result of `HKHealthStore.isHealthDataAvailable()` in this task.
    @TaskLocal package static var isAvailable = true

    private let absences = Mutex(0)
    private let locked = Mutex(false)
    /// On a watch, the store of the app on the iPhone.
    package let companion = Mutex<HKHealthStore?>(nil)
    /// On an iPhone, what starts the app on the watch.
    package let startWatchApp = Mutex<(@Sendable (HKWorkoutConfiguration) -> Void)?>(nil)

    /// Returns how the next call in a lane fails; `nil` for one that doesn't.
    package let injectedFailures = Mutex<(@Sendable (StoreConnection.Lane) -> InjectedFailure?)?>(nil)

    package init() {}

    /// Whether the device is locked. The storage refuses to be read then; this is for calls that succeed without data.
    package var isLocked: Bool {
        get { locked.withLock { $0 } }
        set { locked.withLock { $0 = newValue } }
    }

    /// Whether calls of the device's stores can succeed.
    var isAvailable: Bool { absences.withLock { $0 == 0 } }

    /// Runs a body while health data is unavailable.
    package func withoutHealthData<Result: Sendable>(
        _ body: @Sendable () async throws -> Result
    ) async rethrows -> Result {
        absences.withLock { $0 += 1 }
        defer { absences.withLock { $0 -= 1 } }
        return try await Self.$isAvailable.withValue(false) { try await body() }
    }
}

/// The failure of a call in a test.
package struct InjectedFailure: Sendable {
    /// The error of the call.
    let error: HKError
    /// The seconds of the store's clock after which the call fails.
    let delay: TimeInterval

    /// Creates a failure.
    package init(_ code: HKError.Code, delay: TimeInterval) {
        error = HKError.make(code, "A fault was injected.")
        self.delay = delay
    }
}

extension HKObjectType {
    /// The type's code in a store; `nil` for a type that the store does not know.
    package func code(in engine: HealthEngine) throws -> TypeCode? {
        try engine.code(of: identifier)
    }
}
