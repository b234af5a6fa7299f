public import Foundation
public import HealthModel
import HealthPages
import HealthStorage

extension HealthEngine {
    /// Lets an effort sample rate a stored workout, of any source, or one activity of it. A sample that
    /// is not stored is saved; one that rates it already changes nothing.
    /// - Throws: as ``save(_:as:)``; ``EngineError/invalidArgument(_:)`` when the workout is not stored.
    public func relateEffort(
        _ sample: SampleRecord, toWorkout workout: UUID, activity: UUID?, as caller: Caller
    ) throws {
        try validate([.sample(sample)])
        let kinds = try commit { transaction, draft in
            let stored = try storedWorkout(workout, in: transaction)
            try checkShare(sample.type, as: caller, in: transaction)
            var plan = SavePlan(caller: caller, finder: finder(in: transaction))
            let target = try plan.addMember(sample)
            let (run, kinds) = try write(plan, as: caller, in: transaction, draft: &draft)
            guard let place = run.place(of: target, in: plan) else { return kinds }
            let identity = sample.uuid ?? identities.uuid(for: place.sequence)
            try change(stored, workout, activity, as: caller, in: transaction, draft: &draft) { relation in
                guard !relation.samples.contains(identity) else { return false }
                relation.samples.append(identity)
                return true
            }
            return kinds
        }
        rememberWritten(kinds)
    }

    /// Ends what ``relateEffort(_:toWorkout:activity:as:)`` began. The sample stays.
    /// - Throws: ``EngineError/invalidArgument(_:)`` when the sample does not rate the workout or
    ///   activity; the errors of missing permission.
    public func unrelateEffort(
        _ sample: UUID, type: TypeCode, fromWorkout workout: UUID, activity: UUID?, as caller: Caller
    ) throws {
        try commit { transaction, draft in
            let stored = try storedWorkout(workout, in: transaction)
            try checkShare(type, as: caller, in: transaction)
            try change(stored, workout, activity, as: caller, in: transaction, draft: &draft) { relation in
                guard let index = relation.samples.firstIndex(of: sample) else {
                    throw EngineError.invalidArgument("The sample is not related to the workout.")
                }
                relation.samples.remove(at: index)
                return true
            }
        }
    }

    /// Effort relationships that changed after a sequence, and the sequence they were read at. Whoever
    /// asks still has to look whether the caller may read workouts and samples.
    public func effortRelations(after sequence: Int64) throws -> (relations: [EffortRelation], sequence: Int64) {
        try storage.read { snapshot in
            let relations = try EffortRelation.all(
                in: snapshot, dictionaries(in: snapshot), after: sequence)
            return (relations, try snapshot.lastSequence())
        }
    }

    private func storedWorkout(
        _ uuid: UUID, in transaction: any StorageTransaction
    ) throws -> StoredObject {
        guard let identity = try finder(in: transaction).locate(uuid),
            let object = try transaction.object(sequence: identity.sequence),
            TypeCatalog.description(for: object.type)?.kind == .workout
        else { throw EngineError.invalidArgument("The workout is not stored.") }
        return object
    }

    /// Writes the relation of a workout and activity anew, if `body` says that it changed.
    private func change(
        _ stored: StoredObject, _ workout: UUID, _ activity: UUID?, as caller: Caller,
        in transaction: any StorageTransaction, draft: inout CommitDraft,
        _ body: (inout EffortRelation) throws -> Bool
    ) throws {
        let known = try EffortRelation.all(in: transaction, transaction.dictionaries())
            .first { $0.workout == workout && $0.activity == activity }
        var relation = known ?? EffortRelation(workout: workout, activity: activity)
        guard try body(&relation) else { return }
        if let known { try transaction.removeObject(sequence: known.sequence) }
        let type = try transaction.intern(
            typeIdentifier: EffortRelation.typeIdentifier, kind: .document)
        let sequence = try transaction.takeSequences(1)
        draft.took(1, from: sequence)
        draft.types.insert(type)
        try transaction.putObject(
            StoredObject(
                sequence: sequence, uuid: nil, type: type, start: stored.start, end: stored.end,
                revision: transaction.intern(caller.revision), device: 0,
                payload: ObjectCoder.encode(
                    metadata: .empty, creation: nil, body: .document(relation.document))))
    }
}
