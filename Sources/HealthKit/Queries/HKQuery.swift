public import Foundation
import Synchronization

/// What to ask a store: the base of all queries.
///
/// A query object runs once, on the store it is given to with ``HKHealthStore/execute(_:)``. Its handlers
/// are called one after the other on a background queue of its own. Executing it again ends the process,
/// as in the original.
// Unchecked: the life cycle is in a Mutex and subclasses keep what changes in one too.
open class HKQuery: NSObject, @unchecked Sendable {
    /// The type of object asked for; `nil` for queries over several types.
    public let objectType: HKObjectType?
    /// Which objects are asked for; `nil` for all.
    public let predicate: NSPredicate?

    private enum Life {
        case fresh
        case executed(QueryRun)
    }

    private let life = Mutex<Life>(.fresh)

    init(objectType: HKObjectType?, predicate: NSPredicate?) {
        self.objectType = objectType
        self.predicate = predicate
        super.init()
    }

    /// The sample type asked for; `nil` for queries over several types or over no samples. An older
    /// name of ``objectType``.
    public var sampleType: HKSampleType? { objectType as? HKSampleType }

    /// What the query does when it runs. Checks and translates on the thread that executes the query,
    /// so that a programmer's mistake ends the process where it was made.
    ///
    /// - Throws: what is wrong with the query, in the words of the original's exception.
    func makeWork() throws -> QueryWork {
        fatalError("\(Self.self) does no work of its own")
    }

    /// Starts the query on a store.
    func execute(on connection: StoreConnection) {
        let work: QueryWork
        do {
            work = try makeWork()
        } catch {
            ProgrammerError.raise(String(describing: error))
        }
        let run = QueryRun(work: work, connection: connection, name: "\(Self.self)")
        let isFirst = life.withLock { life in
            guard case .fresh = life else { return false }
            life = .executed(run)
            return true
        }
        guard isFirst else {
            ProgrammerError.raise(
                "Query \(self) has already been executed and cannot be executed again")
        }
        run.begin()
    }

    /// Silences the query. Harmless before it was executed, when it has ended, and when repeated.
    func stop() {
        let run: QueryRun? = life.withLock { life in
            if case .executed(let run) = life { run } else { nil }
        }
        run?.stop()
    }

    /// Whether ``execute(on:)`` was called.
    var isExecuted: Bool {
        life.withLock { life in
            if case .fresh = life { false } else { true }
        }
    }

    /// Ends the process when a handler is set too late, as the original does.
    func requireUnexecuted(_ property: String, file: StaticString = #fileID, line: UInt = #line) {
        guard isExecuted else { return }
        let reason = "\(Self.self): \(property) cannot be changed after the query was executed"
        ProgrammerError.raise(reason, file: file, line: line)
    }
}
