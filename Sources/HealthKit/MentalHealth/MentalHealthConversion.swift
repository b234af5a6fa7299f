import HealthModel

// MARK: - States of mind

extension HKStateOfMind {
    /// The names of the document's fields.
    enum Field {
        static let kind = "kind"
        static let valence = "valence"
        static let labels = "labels"
        static let associations = "associations"
    }
}

extension HKStateOfMind.Fields: DocumentFields {
    typealias SampleType = HKStateOfMindType
    private typealias Field = HKStateOfMind.Field

    init(_ document: DocumentBody) {
        self.init(
            kind: document.integer(Field.kind), valence: document[Field.valence]?.number,
            labels: document.integers(Field.labels) ?? [], associations: document.integers(Field.associations) ?? [])
    }

    var document: DocumentBody {
        DocumentBody(present: [
            Field.kind: .wholeNumber(kind), Field.valence: valence.map { .double($0) }, Field.labels: .integers(labels),
            Field.associations: .integers(associations),
        ])
    }

    static func isComplete(_ document: DocumentBody) -> Bool {
        guard let kind = document.integer(Field.kind), let valence = document[Field.valence]?.number else {
            return false
        }
        return HKStateOfMind.Kind(rawValue: kind) != nil && HKStateOfMind.valences.contains(valence)
            && document.integers(Field.labels) != nil && document.integers(Field.associations) != nil
    }
}

// MARK: - Assessments

extension HKScoredAssessment {
    /// The names of the document's fields.
    enum Field {
        static let answers = "answers"
        static let score = "score"
    }
}

extension HKScoredAssessment.Fields: DocumentFields {
    typealias SampleType = HKScoredAssessmentType
    private typealias Field = HKScoredAssessment.Field

    init(_ document: DocumentBody) {
        self.init(score: document.integer(Field.score), answers: document.integers(Field.answers) ?? [])
    }

    var document: DocumentBody {
        DocumentBody(present: [Field.score: .wholeNumber(score), Field.answers: .integers(answers)])
    }

    static func isComplete(_ document: DocumentBody) -> Bool {
        document.integer(Field.score) != nil && document.integers(Field.answers) != nil
    }
}

extension HKStateOfMindType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        HKStateOfMind.stored(base, record)
    }
}

extension HKScoredAssessmentType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        switch identifier {
        case HKScoredAssessmentTypeIdentifier.GAD7.rawValue: HKGAD7Assessment.stored(base, record)
        case HKScoredAssessmentTypeIdentifier.PHQ9.rawValue: HKPHQ9Assessment.stored(base, record)
        default: HKScoredAssessment.stored(base, record)
        }
    }
}
