package import Foundation
import HealthModel
import HealthPages
import HealthStorage

/// The effort samples that rate a workout or one activity of it.
///
/// Stored as one document for each workout and activity. Every change rewrites it with a new sequence,
/// so that anchored reads find it; one without samples records that none is left.
package struct EffortRelation: Hashable, Sendable {
    /// The identity of the workout.
    package var workout: UUID
    /// The identity of the activity; `nil` for the whole workout.
    package var activity: UUID?
    /// Identities of the samples, in the order they were related.
    package var samples: [UUID] = []
    /// The sequence of the last change.
    package var sequence: Int64 = 0

    /// The identifier of the documents' type in a store.
    package static let typeIdentifier = "HKWorkoutEffortRelationship"

    private enum Field {
        static let workout = "workout"
        static let activity = "activity"
        static let samples = "samples"
    }
}

extension EffortRelation {
    /// Returns `nil` for a document that is not a relation.
    init?(_ document: DocumentBody, sequence: Int64) {
        guard case .uuid(let workout) = document[Field.workout],
            case .list(let samples) = document[Field.samples]
        else { return nil }
        self.workout = workout
        if case .uuid(let activity) = document[Field.activity] { self.activity = activity }
        self.samples = samples.compactMap { if case .uuid(let uuid) = $0 { uuid } else { nil } }
        self.sequence = sequence
    }

    var document: DocumentBody {
        var document = DocumentBody(fields: [
            Field.workout: .uuid(workout), Field.samples: .list(samples.map { .uuid($0) }),
        ])
        document[Field.activity] = activity.map { .uuid($0) }
        return document
    }

    /// All relations that changed after a sequence, by sequence.
    static func all(
        in snapshot: any StorageSnapshot, _ dictionaries: StoreDictionaries, after sequence: Int64 = 0
    ) throws -> [EffortRelation] {
        guard let type = dictionaries.type(identifier: typeIdentifier)?.code else { return [] }
        var relations: [EffortRelation] = []
        try snapshot.visitObjects(of: type, in: .sequencesAfter(sequence)) { object in
            if case .document(let document) = try ObjectCoder.decode(object.payload).body,
                let relation = EffortRelation(document, sequence: object.sequence)
            {
                relations.append(relation)
            }
            return true
        }
        return relations
    }
}
