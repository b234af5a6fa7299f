import Foundation
import HealthEngine
import HealthJSON
import HealthModel

/// The values of the observations in clinical records.
package struct LabResultsQuestion: Question {
    private let start: Double?
    private let end: Double?
    private let words: Set<Substring>
    private let limit: Int
    private let timeZone: TimeZone

    package init(_ parameters: inout QueryParameters, _ setting: QuestionSetting) throws {
        (start, end) = try parameters.range(setting.timeZone)
        words = Set((try parameters.text("name") ?? "").lowercased().split { $0.isWhitespace || $0 == "," })
        limit = try parameters.integer(.resultCount) ?? 100
        timeZone = setting.timeZone
    }

    package func answer(_ context: some QuestionContext) async throws -> LabResultsAnswer {
        try await context.read { engine, caller in
            let types = (TypeCatalog.all + (try engine.dictionaries()).types).filter {
                $0.identifier.hasPrefix("HKClinicalTypeIdentifier")
            }
            let parts = try engine.readable(types, as: caller).map { SampleRequest.Part(type: $0.code) }
            let records = parts.isEmpty ? [] : try engine.samples(SampleRequest(parts: parts), as: caller).objects
            let clock = LocalClock(timeZone: timeZone)
            let found = records.flatMap { LabResultsAnswer.Result.all(in: $0, clock) }.filter { result in
                (start.map { result.date >= $0 } ?? true) && (end.map { result.date < $0 } ?? true)
                    && words.allSatisfy { $0 == result.code ?? "" || result.name.lowercased().contains($0) }
            }.sorted { ($0.date, $1.name) > ($1.date, $0.name) }
            return LabResultsAnswer(results: Array(found.prefix(limit)), count: found.count)
        }
    }
}

/// Values of clinical records, the newest first.
package struct LabResultsAnswer: AnswerObject, Sendable {
    let results: [Result]
    /// The number of all that were found.
    let count: Int

    package static let fields: [AnswerField<Self>] = [.init("results", \.results), .init("count", \.count)]

    /// A value of an observation, or of one of its components.
    struct Result: AnswerObject {
        let name: String
        let code: String?
        /// When it was observed, in seconds since 2001; when it was received if the record doesn’t say.
        let date: Double
        let status: String?
        let source: String?
        /// The observation or the component in FHIR.
        private let part: JSONValue

        /// The results of a record. Other resources than observations, and those entered in error, have none.
        static func all(in record: ObjectRecord, _ clock: LocalClock) -> [Result] {
            guard case .document(let document) = record.body,
                case .data(let bytes)? = document[ClinicalRecordDocument.data]
            else { return [] }
            var reader = JSONReader(.bytes(bytes), isLenient: true)
            guard let resource = try? reader.value(), resource["resourceType"]?.text == "Observation",
                resource["status"]?.text != "entered-in-error"
            else { return [] }
            let time = resource[first: "effectiveDateTime", "effectiveInstant"] ?? resource["effectivePeriod"]?["start"]
            // The month or the day may be missing.
            let text = (time ?? resource["issued"])?.text.map { $0 + "-01-01".dropFirst(max(0, $0.count - 4)) }
            return ([resource] + (resource["component"]?.elements ?? [])).compactMap { part in
                guard let name = concept(part["code"]), part.value != nil || part.words != nil else { return nil }
                return Result(
                    name: name, code: part["code"]?["coding"]?.elements?.first?["code"]?.text,
                    date: text.flatMap { clock.instant(of: $0) } ?? record.start, status: resource["status"]?.text,
                    source: record.revision?.source.name, part: part)
            }
        }

        /// The text of a concept, or of the first of several.
        fileprivate static func concept(_ value: JSONValue?) -> String? {
            guard let value = value?.elements?.first ?? value else { return nil }
            let coding = value["coding"]?.elements?.first
            return value["text"]?.text ?? coding?["display"]?.text ?? coding?["code"]?.text
        }

        static let fields: [AnswerField<Self>] = [
            .init("date") { Date(reference: $0.date) }, .init("name", \.name), .init("code", \.code),
            .init("value", \.part.value), .init("unit") { ($0.part["valueQuantity"]?[first: "unit", "code"])?.text },
            .init("comparator") { $0.part["valueQuantity"]?["comparator"]?.text }, .init("text", \.part.words),
            .init("referenceRange") { $0.part["referenceRange"]?.elements?.first.map(Range.init) },
            .init("interpretation") { concept($0.part["interpretation"]) }, .init("status", \.status),
            .init("source", \.source),
        ]

        /// The values that are usual, in the unit of the result.
        struct Range: AnswerObject {
            let range: JSONValue

            static let fields: [AnswerField<Self>] = [
                .init("low") { $0.range["low"]?["value"]?.number },
                .init("high") { $0.range["high"]?["value"]?.number },
                .init("text") { $0.range["text"]?.text },
            ]
        }
    }
}

extension JSONValue {
    /// The number of an observation.
    fileprivate var value: Double? { (self["valueQuantity"]?["value"] ?? self["valueInteger"])?.number }

    /// The value of an observation that isn’t a number.
    fileprivate var words: String? {
        self["valueString"]?.text ?? LabResultsAnswer.Result.concept(self["valueCodeableConcept"])
            ?? self["valueBoolean"]?.flag.map { "\($0)" }
    }
}
