import HealthModel

/// A questionnaire whose answers are counted: how many questions, what each answer counts, and how much
/// makes which risk.
struct Questionnaire: Sendable {
    let name: String
    let type: HKScoredAssessmentType
    let questionCount: Int
    /// What an answer counts, by its raw value.
    let points: [Int]
    /// The least score of each risk above the first, ascending. Risks are numbered from 1.
    let riskBounds: [Int]

    /// Generalized anxiety in seven questions.
    static let gad7 = Questionnaire(
        name: "HKGAD7Assessment", type: HKScoredAssessmentType(.GAD7), questionCount: 7,
        points: [0, 1, 2, 3], riskBounds: [5, 10, 15])
    /// Depression in nine questions. The last answer of the list, preferring not to say, counts nothing.
    static let phq9 = Questionnaire(
        name: "HKPHQ9Assessment", type: HKScoredAssessmentType(.PHQ9), questionCount: 9,
        points: [0, 1, 2, 3, 0], riskBounds: [5, 10, 15, 20])

    /// The questionnaire of a type; `nil` for one this version does not know.
    init?(of type: HKSampleType) {
        switch type {
        case Self.gad7.type: self = .gad7
        case Self.phq9.type: self = .phq9
        default: return nil
        }
    }

    private init(
        name: String, type: HKScoredAssessmentType, questionCount: Int, points: [Int], riskBounds: [Int]
    ) {
        self.name = name
        self.type = type
        self.questionCount = questionCount
        self.points = points
        self.riskBounds = riskBounds
    }

    /// The raw value of a score's risk.
    func risk(ofScore score: Int) -> Int {
        1 + riskBounds.count { $0 <= score }
    }

    /// What the answers count together.
    ///
    /// - Throws: for too few or too many answers, and for one the questionnaire does not have.
    func score(_ answers: [Int]) throws(ObjectRefusal) -> Int {
        guard answers.count == questionCount else {
            throw ObjectRefusal(reason: "\(name) requires \(questionCount) answers, not \(answers.count)")
        }
        var score = 0
        for answer in answers {
            guard points.indices.contains(answer) else {
                throw ObjectRefusal(reason: "\(name) does not have this answer")
            }
            score += points[answer]
        }
        return score
    }

    /// The document of answers.
    ///
    /// - Throws: as ``score(_:)``.
    func document(_ answers: [Int]) throws(ObjectRefusal) -> DocumentBody {
        DocumentBody(fields: [
            HKScoredAssessment.Field.score: .integer(Int64(try score(answers))),
            HKScoredAssessment.Field.answers: .integers(answers),
        ])
    }
}
