// A file that imports only HealthKit sees Foundation too, as with the original.
@_exported public import Foundation

/// Access to a person's health data: authorization, saving, deleting and queries.
///
/// All stores of a process with the same file share one engine. A store may be used from any thread.
/// Completion handlers run on a background queue, each exactly once. A long-running query runs until it is
/// stopped, even if the store that executed it is released.
// Unchecked: every stored property is constant and Sendable.
open class HKHealthStore: NSObject, @unchecked Sendable {
    let connection: StoreConnection
    let mirroring = MirroringHandler()

    /// Creates a connection to the default store: see
    /// ``Configuration-swift.struct/init(location:application:authorization:clock:calendar:)``. The store is
    /// opened on first use; the calls that need it report errors.
    public override init() {
        connection = StoreConnection(Configuration())
        super.init()
        connection.preferences.setPoster(self)
    }

    /// Creates a connection to the store of a configuration. Not part of Apple's API.
    public init(configuration: Configuration) {
        connection = StoreConnection(configuration)
        super.init()
        connection.preferences.setPoster(self)
    }

    /// Whether health data is available on this machine: always `true`.
    public class func isHealthDataAvailable() -> Bool { true }

    /// Whether clinical records can be read: always `true`.
    public func supportsHealthRecords() -> Bool { true }

    /// The earliest end of a sample: there is no limit.
    public func earliestPermittedSampleDate() -> Date { .distantPast }

    /// Starts a query. Its handlers are called until it ends or is stopped.
    ///
    /// A query that is invalid for its type, or was executed before, ends the process.
    public func execute(_ query: HKQuery) {
        query.execute(on: connection)
    }

    /// Stops a query: none of its handlers is called from now on.
    public func stop(_ query: HKQuery) {
        query.stop()
    }
}

extension HKHealthStore {
    /// Recalibrates the estimates of a type from a date. A watch makes estimates; on this platform there are none,
    /// so nothing changes.
    ///
    /// Fails with ``HKError/errorInvalidArgument`` for a type without estimates
    /// (``HKSampleType/allowsRecalibrationForEstimates``) and for a date in the future.
    @preconcurrency
    public func recalibrateEstimates(
        sampleType: HKSampleType, date: Date, completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(recalibration(sampleType, date)) { completion($0.isSuccess, $0.error) }
    }

    /// Recalibrates the estimates of a type from a date. See ``recalibrateEstimates(sampleType:date:completion:)``.
    public func recalibrateEstimates(sampleType: HKSampleType, date: Date) async throws {
        try await connection.perform(recalibration(sampleType, date))
    }

    private func recalibration(_ type: HKSampleType, _ date: Date) -> StoreWork<Void> {
        let now = connection.clock.now()
        return StoreWork(.writing) {
            guard type.allowsRecalibrationForEstimates else {
                throw HKError.make(.errorInvalidArgument, "Type \(type.identifier) does not allow recalibration.")
            }
            guard date <= now else {
                throw HKError.make(.errorInvalidArgument, "The date of a recalibration cannot be in the future.")
            }
        }
    }
}
