package import Foundation
package import HealthModel
import HealthPages
import HealthStorage

/// The relations between workouts and the effort samples that rate them.
package struct WorkoutEffortStore: Sendable {
    let engine: HealthEngine

    /// Relates an effort sample to a stored workout of any source, or to one activity of it. A sample that
    /// is not stored is saved; one that is already related changes nothing.
    ///
    /// - Throws: The errors of ``HealthEngine/save(_:as:)``; ``EngineError/invalidArgument(_:)`` if the workout is
    ///   not stored.
    package func relate(
        _ sample: SampleRecord, toWorkout workout: UUID, activity: UUID?, as caller: Caller
    ) throws {
        try engine.validate([.sample(sample)])
        try engine.commit { transaction, pending in
            let stored = try storedWorkout(workout, in: transaction)
            try engine.checkShare(sample.type, as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: engine.finder(in: transaction))
            let target = try plan.addMember(sample)
            let run = try engine.write(plan, as: caller, in: transaction, pending: &pending)
            guard let place = run.identity(of: target, in: plan) else { return }
            let identity = sample.uuid ?? engine.identities.uuid(for: place.sequence)
            try change(stored, workout, activity, as: caller, in: transaction, pending: &pending) { relation in
                guard !relation.samples.contains(identity) else { return false }
                relation.samples.append(identity)
                return true
            }
        }
    }

    /// Removes the relation of an effort sample to a workout or activity. The sample stays.
    ///
    /// - Throws: ``EngineError/invalidArgument(_:)`` if the sample is not related to the workout or
    ///   activity; an authorization error.
    package func unrelate(
        _ sample: UUID, type: TypeCode, fromWorkout workout: UUID, activity: UUID?, as caller: Caller
    ) throws {
        try engine.commit { transaction, pending in
            let stored = try storedWorkout(workout, in: transaction)
            try engine.checkShare(type, as: caller, in: transaction)
            try change(stored, workout, activity, as: caller, in: transaction, pending: &pending) { relation in
                guard let index = relation.samples.firstIndex(of: sample) else {
                    throw EngineError.invalidArgument("The sample is not related to the workout.")
                }
                relation.samples.remove(at: index)
                return true
            }
        }
    }

    /// Returns the relations that changed after a sequence, and the sequence they were read at.
    ///
    /// Permission to read workouts and samples is not checked.
    package func relations(after sequence: Int64) throws -> (relations: [EffortRelation], sequence: Int64) {
        try engine.storage.read { snapshot in
            let relations = try EffortRelation.all(in: snapshot, engine.dictionaries(in: snapshot), after: sequence)
            return (relations, try snapshot.lastSequence())
        }
    }

    private func storedWorkout(
        _ uuid: UUID, in transaction: any StorageTransaction
    ) throws -> StoredObject {
        guard let identity = try engine.finder(in: transaction).locate(uuid),
            let object = try transaction.object(sequence: identity.sequence),
            TypeCatalog.description(for: object.type)?.kind == .workout
        else { throw EngineError.invalidArgument("The workout is not stored.") }
        return object
    }

    /// Rewrites the relation of a workout and activity if `body` returns `true`.
    private func change(
        _ stored: StoredObject, _ workout: UUID, _ activity: UUID?, as caller: Caller,
        in transaction: any StorageTransaction, pending: inout PendingCommit,
        _ body: (inout EffortRelation) throws -> Bool
    ) throws {
        let known = try EffortRelation.all(in: transaction, transaction.dictionaries())
            .first { $0.workout == workout && $0.activity == activity }
        var relation = known ?? EffortRelation(workout: workout, activity: activity)
        guard try body(&relation) else { return }
        if let known { try transaction.removeObject(sequence: known.sequence) }
        let type = try transaction.intern(typeIdentifier: EffortRelation.typeIdentifier, kind: .document)
        let sequence = try transaction.allocateSequences(1)
        pending.recordSequences(1, from: sequence)
        pending.types.insert(type)
        try transaction.putObject(
            StoredObject(
                sequence: sequence, uuid: nil, type: type, start: stored.start, end: stored.end,
                revision: transaction.intern(caller.revision), device: 0,
                payload: ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(relation.document))))
    }
}

extension HealthEngine {
    /// The relations between workouts and effort samples.
    package var workoutEffort: WorkoutEffortStore { WorkoutEffortStore(engine: self) }
}
