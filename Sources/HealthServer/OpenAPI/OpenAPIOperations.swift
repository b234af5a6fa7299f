import HTTPTypes
import HealthAnswers
import HealthArrow

extension OpenAPIDocument {
    /// All operations: those of Scripts/tables/api-reference.md, those that follow from the questions of HealthAnswers,
    /// and those of clinical records.
    static let operations = APIReference.operations + Questions.all.map { operation($0) } + clinicalOperations

    private static func operation<Asked: Question>(_ question: Asked.Type) -> OpenAPIOperation {
        let about = Asked.about
        return OpenAPIOperation(
            method: .get, path: "/v1/people/{person}/" + about.path, tag: about.group, summary: about.title + ".",
            about: about.summary,
            parameters: about.parameters.filter { !about.path.contains("{\($0.name)}") }.map { parameter in
                OpenAPIOperation.Parameter(
                    name: parameter.name, schema: schema(of: parameter), about: parameter.text,
                    isRequired: parameter.isRequired, example: parameter.example, isList: parameter.isList)
            },
            content: [
                ("application/json", Asked.Answer.schemaName), (ArrowMessages.mediaType, #"{"type": "string"}"#),
                (CSVTable.mediaType, #"{"type": "string"}"#),
            ])
    }

    private static func schema(of parameter: QuestionDescription.Parameter) -> String {
        switch parameter.kind {
        case .instant: "InstantOrDay"
        case .unit: "Unit"
        case .timeZone: "TimeZoneName"
        case .type(let kinds): typeNames.first { $0.1 == kinds }?.0 ?? "SampleTypeName"
        default: parameter.schema
        }
    }

    /// Searches and reads of each type of clinical record, which are those of observations.
    private static var clinicalOperations: [OpenAPIOperation] {
        let observations = APIReference.operations.filter { $0.path.contains("/Observation") }
        return ClinicalResource.types.flatMap { type in
            observations.map { observation in
                var operation = observation
                operation.path = observation.path.replacing("Observation", with: type)
                operation.summary = observation.summary.replacing("Observation", with: type)
                return operation
            }
        }
    }
}
