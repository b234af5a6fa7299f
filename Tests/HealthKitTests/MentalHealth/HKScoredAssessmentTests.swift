import Foundation
@testable import HealthKit
import Testing

@Suite struct HKScoredAssessmentTests {
    /// Answers that count `score` together, three at a time.
    private func answers(_ score: Int, of count: Int) -> [Int] {
        (0..<count).map { min(3, max(0, score - 3 * $0)) }
    }

    @Test(arguments: [
        (0, HKGAD7Assessment.Risk.noneToMinimal), (4, .noneToMinimal), (5, .mild), (9, .mild), (10, .moderate),
        (14, .moderate), (15, .severe), (21, .severe),
    ])
    func anxiety(_ score: Int, _ risk: HKGAD7Assessment.Risk) {
        let raw = answers(score, of: 7)
        let assessment = HKGAD7Assessment(
            date: FreshStore.epoch, answers: raw.compactMap(HKGAD7Assessment.Answer.init(rawValue:)))
        #expect(assessment.score == score)
        #expect(assessment.risk == risk)
        #expect(assessment.answers.map(\.rawValue) == raw)
    }

    @Test(arguments: [
        (0, HKPHQ9Assessment.Risk.noneToMinimal), (4, .noneToMinimal), (5, .mild), (9, .mild), (10, .moderate),
        (14, .moderate), (15, .moderatelySevere), (19, .moderatelySevere), (20, .severe), (27, .severe),
    ])
    func depression(_ score: Int, _ risk: HKPHQ9Assessment.Risk) {
        let raw = answers(score, of: 9)
        let assessment = HKPHQ9Assessment(
            date: FreshStore.epoch, answers: raw.compactMap(HKPHQ9Assessment.Answer.init(rawValue:)))
        #expect(assessment.score == score)
        #expect(assessment.risk == risk)
        #expect(assessment.answers.map(\.rawValue) == raw)
    }

    @Test func anAnswerWithheldCountsNothing() {
        #expect(ObjectFamilies.phq9().score == 24)
        #expect(ObjectFamilies.phq9().answers.last == .preferNotToAnswer)
    }

    @Test(
        arguments: [
            (7, [0, 0, 0, 0, 0, 0], "HKGAD7Assessment requires 7 answers, not 6"),
            (7, [], "HKGAD7Assessment requires 7 answers, not 0"),
            (7, [0, 0, 0, 0, 0, 0, 0, 0], "HKGAD7Assessment requires 7 answers, not 8"),
            (7, [0, 0, 0, 0, 0, 0, 4], "HKGAD7Assessment does not have this answer"),
            (9, [0, 0, 0, 0, 0, 0, 0, 0], "HKPHQ9Assessment requires 9 answers, not 8"),
            (9, [0, 0, 0, 0, 0, 0, 0, 0, 5], "HKPHQ9Assessment does not have this answer"),
            (9, [0, 0, 0, 0, 0, 0, 0, 0, -1], "HKPHQ9Assessment does not have this answer"),
        ] as [(Int, [Int], String)])
    func refusedAnswers(_ questions: Int, _ answers: [Int], _ reason: String) {
        let questionnaire = questions == 7 ? Questionnaire.gad7 : .phq9
        #expect(throws: InvalidObjectError(reason: reason)) { try questionnaire.score(answers) }
    }

    @Test func tooFewAnswersEndTheProcess() async {
        let result = await #expect(processExitsWith: .failure, observing: [\.standardErrorContent]) {
            _ = HKPHQ9Assessment(date: Date(), answers: [.notAtAll])
        }
        #expect(result.errorText.contains("HKPHQ9Assessment requires 9 answers, not 1"))
    }

    @Test func eachQuestionnaireIsFoundByItsType() async throws {
        let store = FreshStore.make()
        try await store.save([ObjectFamilies.gad7(), ObjectFamilies.phq9()])
        let anxiety = try await HKSampleQueryDescriptor(predicates: [.gad7Assessment()], sortDescriptors: [])
            .result(for: store)
        #expect(anxiety.map(\.score) == [10])
        let depression = try await HKSampleQueryDescriptor(predicates: [.phq9Assessment()], sortDescriptors: [])
            .result(for: store)
        #expect(depression.map(\.risk) == [.severe])
    }
}
