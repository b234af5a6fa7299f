public import Foundation
import HealthModel

/// Answers to a questionnaire that gives a score, with their date, source and metadata.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKScoredAssessment: HKSample, DocumentBacked, @unchecked Sendable {
    /// The names of the document's fields.
    enum Field {
        static let answers = "answers"
        static let score = "score"
    }

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// The sum of what the answers count.
    public var score: Int { document.integer(Field.score) ?? 0 }

    /// The raw values of the answers, one a question.
    final var rawAnswers: [Int] { document.integers(Field.answers) ?? [] }

    /// The assessment in an archive; `nil` for a damaged one, and for one with other answers than its
    /// questionnaire has.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKScoredAssessmentType,
            let score = item.document.integer(Field.score),
            let answers = item.document.integers(Field.answers)
        else { return nil }
        if let questionnaire = Questionnaire(of: item.context.type) {
            guard (try? questionnaire.score(answers)) == score else { return nil }
        }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }

    override var summary: String { "\(sampleType.identifier) of \(rawAnswers.count) answers" }
}
