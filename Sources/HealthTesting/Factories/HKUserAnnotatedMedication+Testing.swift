public import HealthKit

extension HKUserAnnotatedMedication {
    /// A medication as a person enters it. Plant it with ``TestHealthStore/plant(_:from:)-([HKUserAnnotatedMedication],_)``.
    ///
    /// - Parameter displayText: the medication's name; the same name is the same medication.
    public static func testing(
        _ displayText: String, nickname: String? = nil, isArchived: Bool = false, hasSchedule: Bool = false,
        generalForm: HKMedicationGeneralForm = .tablet, codings: Set<HKClinicalCoding> = []
    ) -> HKUserAnnotatedMedication {
        HKUserAnnotatedMedication(
            nickname: nickname, isArchived: isArchived, hasSchedule: hasSchedule, concept: displayText,
            displayText: displayText, generalForm: generalForm, codings: codings)
    }
}
