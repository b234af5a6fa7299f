import HealthEngine
import HealthModel
import HealthStorage

extension SchemaCatalog {
    /// Clinical records, and all objects whatever they are.
    static func documents(_ context: TableContext) -> [VirtualTable] {
        [
            ObjectTable(
                "clinical_records", about: "Health records that institutions wrote, in FHIR.",
                own: [
                    own("display_name", .text, "the name the institution gave") { text($0[ClinicalRecordDocument.displayName]) },
                    own("resource_type", .text, "the FHIR resource’s type") { text($0[ClinicalRecordDocument.resourceType]) },
                    own("fhir_version", .text, "its version") { text($0[ClinicalRecordDocument.version]) },
                    own("fhir_identifier", .text, "its identifier") { text($0[ClinicalRecordDocument.identifier]) },
                    own("source_url", .text, "where it came from") { text($0[ClinicalRecordDocument.sourceURL]) },
                    own("resource", .json, "the resource itself") { document in
                        guard case .data(let bytes) = document[ClinicalRecordDocument.data] else { return .null }
                        return .text(String(decoding: bytes, as: UTF8.self))
                    },
                ], context, isWanted: { $0.identifier.hasPrefix("HKClinicalTypeIdentifier") }),
            ObjectTable(
                "objects", about: "Everything that is no quantity or category sample, whatever it is.",
                own: [
                    ObjectTable.Own(column: SQLColumn("kind", .text, "family, such as workout or document")) { object, context in
                        SQLValue(context.reading.dictionaries.type(object.type).map { "\($0.kind)" })
                    },
                    ObjectTable.Own(
                        column: SQLColumn("body", .json, "what is particular to the object, without its series"), value: body),
                    ObjectTable.Own(column: SQLColumn("series", .json, "long columns of numbers, by name")) { object, _ in
                        guard let series = object.document?.series, !series.isEmpty else { return .null }
                        var json = JSONText()
                        json.series(series)
                        return .text(json.text)
                    },
                    ObjectTable.Own(
                        column: SQLColumn("members", .json, "sequences of the samples and objects that belong to it")
                    ) { object, context in
                        let members = try context.reading.members(of: object.sequence)
                        return members.isEmpty
                            ? .null : .text("[" + members.map { String($0.sequence) }.joined(separator: ",") + "]")
                    },
                ], context, isWanted: { _ in true }),
        ]
    }

    private static func text(_ field: FieldValue?) -> SQLValue {
        if case .string(let text) = field { .text(text) } else { .null }
    }

    private static func body(_ object: ObjectRecord, _ context: TableContext) -> SQLValue {
        var json = JSONText()
        switch object.body {
        case .none: return .null
        case .document(let document):
            guard !document.fields.isEmpty else { return .null }
            json.fields(document.fields, context.clock)
        case .archived(let element): json.element(element)
        case .workout(let workout): json.workout(workout, context.clock)
        case .activitySummary(let summary): json.summary(summary)
        }
        return .text(json.text)
    }
}
