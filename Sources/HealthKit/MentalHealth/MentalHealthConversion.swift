import HealthModel

extension HKStateOfMind.Fields {
    static func isComplete(_ document: DocumentBody) -> Bool {
        guard let kind = document.integer(HKStateOfMind.Field.kind),
            let valence = document[HKStateOfMind.Field.valence]?.number
        else { return false }
        return HKStateOfMind.Kind(rawValue: kind) != nil && HKStateOfMind.valences.contains(valence)
            && document.integers(HKStateOfMind.Field.labels) != nil
            && document.integers(HKStateOfMind.Field.associations) != nil
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
