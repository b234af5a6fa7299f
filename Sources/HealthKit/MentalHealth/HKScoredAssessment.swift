public import Foundation

/// The answers to a questionnaire that gives a score.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKScoredAssessment: HKSample, DocumentSample, @unchecked Sendable {
    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKScoredAssessment(base, fields: fields) }

    /// The sum of the points of the answers.
    open var score: Int { fields.score ?? 0 }

    /// The assessment in an archive; `nil` for a damaged archive, and for answers that the questionnaire does not
    /// have.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder) else { return nil }
        if let questionnaire = Questionnaire(of: archived.base.context.type) {
            guard (try? questionnaire.score(archived.fields.answers)) == archived.fields.score else { return nil }
        }
        fields = archived.fields
        super.init(archived.base)
    }

    override var summary: String { "\(sampleType.identifier) of \(fields.answers.count) answers" }
}

/// The answers to the GAD-7 questionnaire on anxiety: seven answers, a score from 0 to 21.
// Unchecked: adds no stored property to its superclass.
open class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Creates an assessment. Other than seven answers, or metadata that is not allowed, end the process.
    public convenience init(
        date: Date, answers: [HKGAD7Assessment.Answer], metadata: [String: Any]? = [:]
    ) {
        let fields = ProgrammerError.checked { () throws(InvalidObjectError) in
            try Questionnaire.gad7.fields(answers.map(\.rawValue))
        }
        self.init(
            .document(Questionnaire.gad7.type, start: date, end: date, device: nil, metadata: metadata),
            fields: fields)
    }

    /// The answers, in the order of the questions.
    open var answers: [HKGAD7Assessment.Answer] { fields.answers.compactMap(Answer.init(rawValue:)) }

    /// The risk for the score: mild from 5, moderate from 10, severe from 15.
    open var risk: HKGAD7Assessment.Risk {
        Risk(rawValue: Questionnaire.gad7.risk(ofScore: score)) ?? .noneToMinimal
    }

    override class func stored(_ base: SampleBase, fields: Fields) -> HKSample {
        HKGAD7Assessment(base, fields: fields)
    }
}

/// The answers to the PHQ-9 questionnaire on depression: nine answers, a score from 0 to 27.
// Unchecked: adds no stored property to its superclass.
open class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Creates an assessment. Other than nine answers, or metadata that is not allowed, end the process.
    public convenience init(
        date: Date, answers: [HKPHQ9Assessment.Answer], metadata: [String: Any]? = [:]
    ) {
        let fields = ProgrammerError.checked { () throws(InvalidObjectError) in
            try Questionnaire.phq9.fields(answers.map(\.rawValue))
        }
        self.init(
            .document(Questionnaire.phq9.type, start: date, end: date, device: nil, metadata: metadata),
            fields: fields)
    }

    /// The answers, in the order of the questions.
    open var answers: [HKPHQ9Assessment.Answer] { fields.answers.compactMap(Answer.init(rawValue:)) }

    /// The risk for the score: mild from 5, moderate from 10, moderately severe from 15, severe from 20.
    open var risk: HKPHQ9Assessment.Risk {
        Risk(rawValue: Questionnaire.phq9.risk(ofScore: score)) ?? .noneToMinimal
    }

    override class func stored(_ base: SampleBase, fields: Fields) -> HKSample {
        HKPHQ9Assessment(base, fields: fields)
    }
}

extension HKSamplePredicate {
    /// A predicate for states of mind.
    public static func stateOfMind(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKStateOfMind> {
        HKSamplePredicate<HKStateOfMind>(type: .stateOfMindType(), predicate: predicate)
    }

    /// A predicate for GAD-7 assessments.
    public static func gad7Assessment(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKGAD7Assessment> {
        HKSamplePredicate<HKGAD7Assessment>(type: HKScoredAssessmentType(.GAD7), predicate: predicate)
    }

    /// A predicate for PHQ-9 assessments.
    public static func phq9Assessment(_ predicate: NSPredicate? = nil) -> HKSamplePredicate<HKPHQ9Assessment> {
        HKSamplePredicate<HKPHQ9Assessment>(type: HKScoredAssessmentType(.PHQ9), predicate: predicate)
    }
}
