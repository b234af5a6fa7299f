import Foundation
import HealthAnswers
import HealthEngine

extension OpenAPIDocument {
    /// The schemas of requests and responses by name, as JSON: those of Scripts/tables/api-document.json, those of the
    /// answers of questions, and those that follow from what the server checks.
    static let schemas: [String: String] = APIReference.schemas
        .merging(["NewMetadata": newMetadata, "TimeZoneName": timeZoneName]) { $1 }
        .merging(Questions.all.map { components($0) }.reduce([:]) { $0.merging($1) { $1 } }) { $1 }

    private static func components<Asked: Question>(_ question: Asked.Type) -> [String: String] {
        Asked.Answer.schema.components
    }

    /// Names of time zones that requests can have. Answers can have further ones.
    private static var timeZoneName: String {
        let names = Set(TimeZone.knownTimeZoneIdentifiers).union(["GMT", "UTC"]).sorted()
        return #"{"enum": [""# + names.joined(separator: #"", ""#) + #""]}"#
    }

    /// Metadata of samples to save: the values of HealthKit's own keys have certain forms.
    private static var newMetadata: String {
        let keys = MetadataRules.expectations.sorted { $0.key < $1.key }.map { key, expectation in
            let schema =
                switch expectation {
                case .string: #"{"type": "string"}"#
                case .number: #"{"type": ["number", "boolean"]}"#
                case .date: ##"{"$ref": "#/components/schemas/MetadataDate"}"##
                case .quantity: ##"{"$ref": "#/components/schemas/Quantity"}"##
                case .value(_, let range):
                    #"{"type": "integer", "minimum": \#(range.lowerBound), "maximum": \#(range.upperBound)}"#
                case .activity: #"{"type": "integer", "minimum": 1}"#
                }
            return "\"\(key)\": \(schema)"
        }
        return ##"{"allOf": [{"$ref": "#/components/schemas/Metadata"}], "type": "object", "properties": {"##
            + keys.joined(separator: ", ") + "}}"
    }
}
