import HealthModel

extension HKStateOfMind {
    /// What a valence may be.
    static let valences = -1.0...1.0

    /// The document of a state of mind.
    ///
    /// - Throws: for a valence outside -1…1.
    static func document(
        kind: Kind, valence: Double, labels: [Label], associations: [Association]
    ) throws(ObjectRefusal) -> DocumentBody {
        guard valences.contains(valence) else {
            throw ObjectRefusal(reason: "The valence of an HKStateOfMind must be between -1.0 and 1.0")
        }
        return DocumentBody(fields: [
            Field.kind: .integer(Int64(kind.rawValue)),
            Field.valence: .double(valence),
            Field.labels: .integers(labels.map(\.rawValue)),
            Field.associations: .integers(associations.map(\.rawValue)),
        ])
    }
}
