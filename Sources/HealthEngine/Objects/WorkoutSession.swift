package import Foundation
import HealthStorage

/// The workout session that is running on a store, with what its application needs to recover it.
package struct ActiveWorkoutSession: Hashable, Sendable, Codable {
    /// Distinguishes this run of a session from every other.
    package var token: UUID
    /// The application whose session it is.
    package var bundleIdentifier: String
    /// The application's own record of the session.
    package var contents: Data

    /// Creates the record of a running session.
    package init(token: UUID, bundleIdentifier: String, contents: Data) {
        self.token = token
        self.bundleIdentifier = bundleIdentifier
        self.contents = contents
    }
}

/// The running workout session, of which a store has at most one.
///
/// It is a setting, so that other processes on the store are notified when another session begins.
package struct WorkoutSessionStore: Sendable {
    let engine: HealthEngine

    /// Returns the running session; `nil` if there is none.
    package func active() throws -> ActiveWorkoutSession? {
        try engine.storage.read { try Self.active(in: $0) }
    }

    /// Makes this the running session in place of any other. Observers are notified, so that the previous one
    /// learns that it has ended.
    ///
    /// - Parameter session: Called within the transaction, so that a thread that commits later never writes
    ///   an older state.
    package func begin(_ session: () throws -> ActiveWorkoutSession) throws {
        try engine.commit { transaction, pending in
            try Self.setActive(session(), in: transaction)
            pending.settingsChanged = true
        }
    }

    /// Updates the record of the running session without notifying observers; does nothing if another session
    /// is running.
    ///
    /// - Parameter session: Called within the transaction, as in ``begin(_:)``.
    package func update(_ session: () throws -> ActiveWorkoutSession) throws {
        try engine.commit { transaction, _ in
            let session = try session()
            guard try Self.active(in: transaction)?.token == session.token else { return }
            try Self.setActive(session, in: transaction)
        }
    }

    /// Removes the record of the session if it is the running one.
    package func end(_ token: UUID) throws {
        try engine.commit { transaction, _ in
            guard try Self.active(in: transaction)?.token == token else { return }
            try Self.setActive(nil, in: transaction)
        }
    }

    private static let namespace = "workoutSession"
    private static let key = "active"

    private static func active(in snapshot: any StorageSnapshot) throws -> ActiveWorkoutSession? {
        try Settings.read(ActiveWorkoutSession.self, namespace: namespace, key: key, in: snapshot)
    }

    private static func setActive(
        _ session: ActiveWorkoutSession?, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(session, namespace: namespace, key: key, in: transaction)
    }
}

extension HealthEngine {
    /// The running workout session.
    package var workoutSession: WorkoutSessionStore { WorkoutSessionStore(engine: self) }
}
