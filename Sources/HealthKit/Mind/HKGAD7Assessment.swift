public import Foundation

/// Answers to the GAD-7 questionnaire on anxiety: seven answers, a score from 0 to 21.
// Unchecked: adds no stored property to its superclass.
public class HKGAD7Assessment: HKScoredAssessment, @unchecked Sendable {
    /// Answers given on a day. Other than seven answers, or metadata that is not allowed, end the process.
    public convenience init(
        date: Date, answers: [HKGAD7Assessment.Answer], metadata: [String: Any]? = [:]
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in
            try Questionnaire.gad7.document(answers.map(\.rawValue))
        }
        self.init(
            new: Questionnaire.gad7.type, start: date, end: date, device: nil, metadata: metadata,
            document: document)
    }

    /// The answers, in the order of the questions.
    public var answers: [HKGAD7Assessment.Answer] { rawAnswers.compactMap(Answer.init(rawValue:)) }

    /// What the score stands for: from 5 mild, from 10 moderate, from 15 severe.
    public var risk: HKGAD7Assessment.Risk {
        Risk(rawValue: Questionnaire.gad7.risk(ofScore: score)) ?? .noneToMinimal
    }
}
