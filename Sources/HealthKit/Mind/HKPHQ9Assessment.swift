public import Foundation

/// Answers to the PHQ-9 questionnaire on depression: nine answers, a score from 0 to 27.
// Unchecked: adds no stored property to its superclass.
public class HKPHQ9Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Answers given on a day. Other than nine answers, or metadata that is not allowed, end the process.
    public convenience init(
        date: Date, answers: [HKPHQ9Assessment.Answer], metadata: [String: Any]? = [:]
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in
            try Questionnaire.phq9.document(answers.map(\.rawValue))
        }
        self.init(
            new: Questionnaire.phq9.type, start: date, end: date, device: nil, metadata: metadata,
            document: document)
    }

    /// The answers, in the order of the questions.
    public var answers: [HKPHQ9Assessment.Answer] { rawAnswers.compactMap(Answer.init(rawValue:)) }

    /// What the score stands for: from 5 mild, from 10 moderate, from 15 moderately severe, from 20 severe.
    public var risk: HKPHQ9Assessment.Risk {
        Risk(rawValue: Questionnaire.phq9.risk(ofScore: score)) ?? .noneToMinimal
    }
}
