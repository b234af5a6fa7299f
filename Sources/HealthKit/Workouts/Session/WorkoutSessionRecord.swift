import Foundation
import HealthEngine

/// What the store keeps of a running session, so that it can be taken up again after a crash.
///
/// The samples are in the store already: those of the collected types since collection began.
struct WorkoutSessionRecord: Codable, Sendable {
    var machine: WorkoutSessionMachine
    var builder: WorkoutBuilderState.Snapshot?
    /// Where collection began in the store's sequence.
    var beginning: Int64?
    /// Identifiers of the types that were collected.
    var types: [String]
}
