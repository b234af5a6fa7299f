/// A scored questionnaire: the number of questions, the points of each answer, and the risk for each score.
struct Questionnaire: Sendable {
    let name: String
    let type: HKScoredAssessmentType
    let questionCount: Int
    /// The points of an answer, by its raw value.
    let points: [Int]
    /// The minimum score of each risk above the first, ascending. Risks are numbered from 1.
    let riskBounds: [Int]

    /// Generalized anxiety in seven questions.
    static let gad7 = Questionnaire(
        name: "HKGAD7Assessment", type: HKScoredAssessmentType(.GAD7), questionCount: 7,
        points: [0, 1, 2, 3], riskBounds: [5, 10, 15])
    /// Depression in nine questions. The last answer, preferring not to answer, has no points.
    static let phq9 = Questionnaire(
        name: "HKPHQ9Assessment", type: HKScoredAssessmentType(.PHQ9), questionCount: 9,
        points: [0, 1, 2, 3, 0], riskBounds: [5, 10, 15, 20])
}

extension Questionnaire {
    /// Creates the questionnaire of a type; `nil` for an unknown one.
    init?(of type: HKSampleType) {
        switch type {
        case Self.gad7.type: self = .gad7
        case Self.phq9.type: self = .phq9
        default: return nil
        }
    }

    /// The raw value of a score's risk.
    func risk(ofScore score: Int) -> Int {
        1 + riskBounds.count { $0 <= score }
    }

    /// Returns the sum of the points of the answers.
    ///
    /// - Throws: for too few or too many answers, and for an answer that the questionnaire does not have.
    func score(_ answers: [Int]) throws(InvalidObjectError) -> Int {
        guard answers.count == questionCount else {
            throw InvalidObjectError(reason: "\(name) requires \(questionCount) answers, not \(answers.count)")
        }
        var score = 0
        for answer in answers {
            guard points.indices.contains(answer) else {
                throw InvalidObjectError(reason: "\(name) does not have this answer")
            }
            score += points[answer]
        }
        return score
    }

    /// The values of an assessment with these answers.
    ///
    /// - Throws: as ``score(_:)``.
    func fields(_ answers: [Int]) throws(InvalidObjectError) -> HKScoredAssessment.Fields {
        HKScoredAssessment.Fields(score: try score(answers), answers: answers)
    }
}
