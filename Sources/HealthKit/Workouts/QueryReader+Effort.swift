import Foundation
import HealthEngine
import HealthModel
import HealthStorage

extension QueryReader {
    /// Effort relationships that changed, and the new anchor.
    struct EffortChanges: Sendable {
        var relationships: [HKWorkoutEffortRelationship]
        var anchor: HKQueryAnchor
    }

    /// Returns the relationships of matching workouts that changed since an anchor, in the order of their changes.
    /// Workouts and samples that may not be read are omitted.
    func efforts(
        _ part: QueryPart, after anchor: HKQueryAnchor?, options: HKWorkoutEffortRelationshipQueryOptions
    ) throws -> EffortChanges {
        let store = engine.identity().uuid
        let after = anchor?.position(in: store, lastSequence: try engine.lastSequence()) ?? 0
        let (relations, sequence) = try engine.workoutEffort.relations(after: after)
        let changed = HKQueryAnchor(store: store, sequence: sequence)
        try requireDetermined(part)
        guard !relations.isEmpty else { return EffortChanges(relationships: [], anchor: changed) }
        let named = QueryPart(
            identifier: part.identifier, filter: .and([part.filter, .uuid(Set(relations.map(\.workout)))]),
            residual: part.residual)
        let workouts = Dictionary(
            try samples([named]).compactMap { $0 as? HKWorkout }.map { ($0.uuid, $0) },
            uniquingKeysWith: { first, _ in first })
        let samples = try effortSamples(Set(relations.flatMap(\.samples)))
        var relationships: [HKWorkoutEffortRelationship] = []
        for relation in relations {
            guard let workout = workouts[relation.workout] else { continue }
            let activity = relation.activity.flatMap { uuid in
                workout.workoutActivities.first { $0.uuid == uuid }
            }
            // A relationship with a deleted activity has nothing to rate.
            guard relation.activity == nil || activity != nil else { continue }
            let rating = relation.samples.compactMap { samples[$0] }
            relationships.append(
                HKWorkoutEffortRelationship(
                    workout: workout, activity: activity,
                    samples: options == .mostRelevant ? Self.mostRelevant(rating) : rating))
        }
        return EffortChanges(relationships: relationships, anchor: changed)
    }

    /// The effort types, the more relevant one first: the person's rating precedes an estimate.
    static let effortTypes: [HKQuantityType] = [
        HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    /// Returns the sample of the more relevant type that ended last.
    private static func mostRelevant(_ samples: [HKSample]) -> [HKSample] {
        for type in effortTypes {
            let found = samples.filter { $0.sampleType == type }
            if let latest = found.max(by: { $0.endDate < $1.endDate }) { return [latest] }
        }
        return []
    }

    private func effortSamples(_ identities: Set<UUID>) throws -> [UUID: HKSample] {
        var found: [UUID: HKSample] = [:]
        for type in Self.effortTypes where !identities.isEmpty {
            let part = QueryPart(identifier: type.identifier, filter: .uuid(identities))
            do {
                for sample in try samples([part]) { found[sample.uuid] = sample }
            } catch EngineError.authorizationNotDetermined {
                // Without an authorization request, the type appears to have no samples.
                continue
            }
        }
        return found
    }
}
