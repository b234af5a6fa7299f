public import Foundation

/// The way to a person's health data: permission, saving, deleting, and running queries.
///
/// All stores of a process over the same file share one engine; a store may be used from any thread.
/// Completion handlers run on a background queue, each exactly once. A query that stays runs until it is
/// stopped, whether or not the store that executed it is kept.
// Unchecked: every stored property is constant and Sendable.
open class HKHealthStore: NSObject, @unchecked Sendable {
    let connection: StoreConnection
    let mirroring = MirroringHandler()

    /// The default store, as a configuration of which nothing is said describes it: see
    /// ``Configuration-swift.struct/init(location:application:authorization:clock:calendar:)``. Opened when
    /// first used; trouble with the file is reported by the calls that need it.
    public override init() {
        connection = StoreConnection(Configuration())
        super.init()
        connection.preferences.setPoster(self)
    }

    /// A store of your choice: where it is, who the application is, how permission is decided. Not in
    /// the original.
    public init(configuration: Configuration) {
        connection = StoreConnection(configuration)
        super.init()
        connection.preferences.setPoster(self)
    }

    /// Whether there is health data on this machine: always.
    public class func isHealthDataAvailable() -> Bool { true }

    /// Whether clinical records can be read: always.
    public func supportsHealthRecords() -> Bool { true }

    /// The earliest end a sample may have: there is no such limit here.
    public func earliestPermittedSampleDate() -> Date { .distantPast }

    /// Starts a query. Its handlers are called until it ends or is stopped.
    ///
    /// A query that does not fit its type, or was executed before, ends the process.
    public func execute(_ query: HKQuery) {
        query.execute(on: connection)
    }

    /// Silences a query: none of its handlers is called from now on. Harmless when repeated.
    public func stop(_ query: HKQuery) {
        query.stop()
    }
}
