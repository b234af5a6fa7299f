public import Foundation
import HealthModel
public import enum PredicateTypes.NSComparisonPredicate

/// How a person felt at a moment or over a day: a valence, the words that describe it, and its causes.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKStateOfMind: HKSample, DocumentSample, @unchecked Sendable {
    /// The allowed valences.
    static let valences = -1.0...1.0

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKStateOfMind(base, fields: fields) }

    /// Creates a state of mind at an instant.
    ///
    /// A valence outside -1…1, or metadata that is not allowed, ends the process.
    public convenience init(
        date: Date, kind: HKStateOfMind.Kind, valence: Double, labels: [HKStateOfMind.Label],
        associations: [HKStateOfMind.Association], metadata: [String: Any]? = [:]
    ) {
        ProgrammerError.checked { () throws(InvalidObjectError) in try Self.validate(valence: valence) }
        self.init(
            .document(.stateOfMindType(), start: date, end: date, device: nil, metadata: metadata),
            fields: Fields(
                kind: kind.rawValue, valence: valence, labels: labels.map(\.rawValue),
                associations: associations.map(\.rawValue)))
    }

    /// - Throws: for a valence outside -1…1.
    static func validate(valence: Double) throws(InvalidObjectError) {
        guard valences.contains(valence) else {
            throw InvalidObjectError(reason: "The valence of an HKStateOfMind must be between -1.0 and 1.0")
        }
    }

    /// The kind of the state of mind: a momentary emotion or the mood of a whole day.
    open var kind: HKStateOfMind.Kind { fields.kind.flatMap(Kind.init(rawValue:)) ?? .momentaryEmotion }

    /// The valence, from -1, very unpleasant, to 1, very pleasant.
    open var valence: Double { fields.valence ?? 0 }

    /// The classification of the valence.
    open var valenceClassification: HKStateOfMind.ValenceClassification {
        ValenceClassification(valence: valence) ?? .neutral
    }

    /// The words that describe the state of mind, in their original order. Labels of a later version are left out.
    open var labels: [HKStateOfMind.Label] { fields.labels.compactMap(Label.init(rawValue:)) }

    /// The causes of the state of mind, in their original order. Associations of a later version are left out.
    open var associations: [HKStateOfMind.Association] {
        fields.associations.compactMap(Association.init(rawValue:))
    }

    /// The state of mind in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

extension HKStateOfMind.ValenceClassification {
    /// Creates the classification of a valence; `nil` outside -1…1.
    ///
    /// The seven classifications divide the range into equal parts, and each bound belongs to the more pleasant
    /// one; the original does not publish its bounds.
    public init?(valence: Double) {
        guard HKStateOfMind.valences.contains(valence) else { return nil }
        let part = Int((valence + 1) / 2 * 7)
        self.init(rawValue: min(part, 6) + 1)
    }
}

// MARK: - Predicates

extension HKQuery {
    /// Matches states of mind by comparing their valence.
    public class func predicateForStatesOfMind(
        withValence valence: Double, operatorType: NSComparisonPredicate.Operator
    ) -> NSPredicate {
        predicate(
            .field(HKStateOfMind.Field.valence, comparison(operatorType), .double(valence)),
            printed: "valence \(sign(operatorType)) value")
    }

    /// Matches states of mind of one kind.
    public class func predicateForStatesOfMind(with kind: HKStateOfMind.Kind) -> NSPredicate {
        predicate(
            .field(HKStateOfMind.Field.kind, .equal, .integer(Int64(kind.rawValue))),
            printed: "kind == \(kind.rawValue)")
    }

    /// Matches states of mind with a label.
    public class func predicateForStatesOfMind(with label: HKStateOfMind.Label) -> NSPredicate {
        predicate(
            .fieldContains(HKStateOfMind.Field.labels, .integer(Int64(label.rawValue))),
            printed: "labels CONTAINS \(label.rawValue)")
    }

    /// Matches states of mind with an association.
    public class func predicateForStatesOfMind(with association: HKStateOfMind.Association) -> NSPredicate {
        predicate(
            .fieldContains(HKStateOfMind.Field.associations, .integer(Int64(association.rawValue))),
            printed: "associations CONTAINS \(association.rawValue)")
    }
}
