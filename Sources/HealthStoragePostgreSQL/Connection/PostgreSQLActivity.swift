import Synchronization

/// The activity of the connections to a server since the database was opened. Nothing of it says whose rows were read.
package final class PostgreSQLActivity: Sendable {
    /// The kind of a statement.
    package enum Kind: String, CaseIterable, Sendable, Comparable {
        // A round trip with several is one of the last in this list.
        case other, transaction, select, delete, insert, update, save, copy

        /// The first word of such statements; others have none, and a save is the function that saves a page.
        var word: String { self == .other || self == .save ? "\0" : rawValue.uppercased() }

        package static func < (one: Kind, other: Kind) -> Bool { one.place < other.place }

        private var place: Int { Self.allCases.firstIndex(of: self) ?? 0 }
    }

    /// Why a reader was answered by the replica or by the primary.
    package enum ReplicaRead: String, CaseIterable, Sendable {
        case current, behind, unreachable
    }

    /// The numbers of statements, and of the round trips with them.
    package struct Counts: Sendable {
        package var statements = 0
        package var roundTrips = 0
        package var seconds = 0.0

        package init() {}
    }

    /// The numbers until now.
    package struct Figures: Sendable {
        /// The threads that wait for a connection now.
        package var waiting = 0
        /// The threads that use one now.
        package var inUse = 0
        /// The connections opened, and those found to be lost.
        package var opened = 0
        package var lost = 0
        package var kinds: [Kind: Counts] = [:]
        package var replicaReads: [ReplicaRead: Int] = [:]
    }

    private let state = Mutex(Figures())

    package var figures: Figures { state.withLock { $0 } }

    func add(_ change: (inout Figures) -> Void) {
        state.withLock { change(&$0) }
    }

    func addRoundTrip(of kinds: [Kind], _ duration: Duration) {
        guard let greatest = kinds.max() else { return }
        let (seconds, attoseconds) = duration.components
        state.withLock { figures in
            for kind in kinds { figures.kinds[kind, default: Counts()].statements += 1 }
            figures.kinds[greatest, default: Counts()].roundTrips += 1
            figures.kinds[greatest, default: Counts()].seconds += Double(seconds) + Double(attoseconds) * 1e-18
        }
    }
}
