public import Foundation
import HealthModel

/// How a person felt at a moment or over a day: how pleasant it was, in which words, and why.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKStateOfMind: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    enum Field {
        static let kind = "kind"
        static let valence = "valence"
        static let labels = "labels"
        static let associations = "associations"
    }

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A state of mind at an instant.
    ///
    /// A valence outside -1…1, or metadata that is not allowed, ends the process.
    public convenience init(
        date: Date, kind: HKStateOfMind.Kind, valence: Double, labels: [HKStateOfMind.Label],
        associations: [HKStateOfMind.Association], metadata: [String: Any]? = [:]
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in
            try Self.document(kind: kind, valence: valence, labels: labels, associations: associations)
        }
        self.init(
            new: .stateOfMindType(), start: date, end: date, device: nil, metadata: metadata, document: document)
    }

    /// Whether it stands for the moment or for the whole day.
    public var kind: HKStateOfMind.Kind {
        document.integer(Field.kind).flatMap(Kind.init(rawValue:)) ?? .momentaryEmotion
    }

    /// How pleasant it was: from -1, very unpleasant, to 1, very pleasant.
    public var valence: Double { document[Field.valence]?.number ?? 0 }

    /// The class of the valence.
    public var valenceClassification: HKStateOfMind.ValenceClassification {
        ValenceClassification(valence: valence) ?? .neutral
    }

    /// The words that describe it, in the order given. Words that only a later version knows are left out.
    public var labels: [HKStateOfMind.Label] {
        (document.integers(Field.labels) ?? []).compactMap(Label.init(rawValue:))
    }

    /// What it has to do with, in the order given. What only a later version knows is left out.
    public var associations: [HKStateOfMind.Association] {
        (document.integers(Field.associations) ?? []).compactMap(Association.init(rawValue:))
    }

    /// The state of mind in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKStateOfMindType,
            let kind = item.document.integer(Field.kind), Kind(rawValue: kind) != nil,
            let valence = item.document[Field.valence]?.number, Self.valences.contains(valence),
            item.document.integers(Field.labels) != nil, item.document.integers(Field.associations) != nil
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
