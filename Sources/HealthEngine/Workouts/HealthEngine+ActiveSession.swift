public import Foundation
import HealthStorage

// The session is a setting, so that other processes on the store hear when another one begins.
extension HealthEngine {
    /// The session that runs; `nil` when none does.
    public func activeWorkoutSession() throws -> ActiveWorkoutSession? {
        try storage.read { try Self.activeWorkoutSession(in: $0) }
    }

    /// Makes this the session that runs, whichever ran before. Observers are told, so that the one
    /// before learns that it has ended.
    ///
    /// - Parameter session: Asked within the transaction, so that of two threads that write what they
    ///   see, the later one never writes what was seen earlier.
    public func beginWorkoutSession(_ session: () throws -> ActiveWorkoutSession) throws {
        try commit { transaction, draft in
            try Self.setActiveWorkoutSession(session(), in: transaction)
            draft.settingsChanged = true
        }
    }

    /// Brings the record of the running session up to date; does nothing when another one runs. Nobody
    /// is told.
    ///
    /// - Parameter session: Asked within the transaction, as in ``beginWorkoutSession(_:)``.
    public func updateWorkoutSession(_ session: () throws -> ActiveWorkoutSession) throws {
        try commit { transaction, _ in
            let session = try session()
            guard try Self.activeWorkoutSession(in: transaction)?.token == session.token else { return }
            try Self.setActiveWorkoutSession(session, in: transaction)
        }
    }

    /// Forgets the session, if it is the one that runs.
    public func endWorkoutSession(_ token: UUID) throws {
        try commit { transaction, _ in
            guard try Self.activeWorkoutSession(in: transaction)?.token == token else { return }
            try Self.setActiveWorkoutSession(nil, in: transaction)
        }
    }

    private static let key = "active"

    private static func activeWorkoutSession(
        in snapshot: any StorageSnapshot
    ) throws -> ActiveWorkoutSession? {
        try Settings.read(
            ActiveWorkoutSession.self, namespace: Settings.Namespace.workoutSession, key: key, in: snapshot)
    }

    private static func setActiveWorkoutSession(
        _ session: ActiveWorkoutSession?, in transaction: any StorageTransaction
    ) throws {
        try Settings.write(
            session, namespace: Settings.Namespace.workoutSession, key: key, in: transaction)
    }
}

extension Settings.Namespace {
    /// The running workout session.
    static let workoutSession = "workoutSession"
}
