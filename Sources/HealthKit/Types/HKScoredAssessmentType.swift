/// A kind of sample that holds the answers and the score of a questionnaire.
// Unchecked: adds no stored property to its superclass.
open class HKScoredAssessmentType: HKSampleType, @unchecked Sendable {
    /// The type of this name; one that is not known ends the process.
    public convenience init(_ identifier: HKScoredAssessmentTypeIdentifier) {
        self.init(sharing: HKObjectType.required(identifier.rawValue) as HKScoredAssessmentType as! Self)
    }
}
