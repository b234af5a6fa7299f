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

    /// Relationships that changed since an anchor, of the workouts that a part asks for, in the order they
    /// changed. Workouts and samples that may not be read are left out.
    func efforts(
        _ part: QueryPart, after anchor: HKQueryAnchor?, options: HKWorkoutEffortRelationshipQueryOptions
    ) throws -> EffortChanges {
        let store = engine.identity().uuid
        let after = anchor?.position(in: store, lastSequence: try engine.lastSequence()) ?? 0
        let (relations, sequence) = try engine.effortRelations(after: after)
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
            // An activity that is gone leaves nothing to rate.
            guard relation.activity == nil || activity != nil else { continue }
            let rating = relation.samples.compactMap { samples[$0] }
            relationships.append(
                HKWorkoutEffortRelationship(
                    workout: workout, activity: activity,
                    samples: options == .mostRelevant ? Self.mostRelevant(rating) : rating))
        }
        return EffortChanges(relationships: relationships, anchor: changed)
    }

    /// The effort types, the more relevant one first: what the person said counts more than an estimate.
    static let effortTypes: [HKQuantityType] = [
        HKQuantityType(.workoutEffortScore), HKQuantityType(.estimatedWorkoutEffortScore),
    ]

    /// One sample: of the more relevant type, the one that ended last.
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
                // A type that was never asked for shows as one without samples.
                continue
            }
        }
        return found
    }
}
