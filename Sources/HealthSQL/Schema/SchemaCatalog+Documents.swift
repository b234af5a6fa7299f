import HealthEngine
import HealthJSON
package import HealthModel
import HealthStorage

extension SchemaCatalog {
    /// Clinical records, and all objects of any kind.
    static func documents(_ context: TableContext) -> [VirtualTable] {
        [
            ObjectTable(
                "clinical_records", about: "Clinical records of institutions, in FHIR.",
                own: [
                    own("display_name", .text, "the name the institution gave") {
                        text($0[ClinicalRecordDocument.displayName])
                    },
                    own("resource_type", .text, "the FHIR resource’s type") {
                        text($0[ClinicalRecordDocument.resourceType])
                    },
                    own("fhir_version", .text, "its version") { text($0[ClinicalRecordDocument.version]) },
                    own("fhir_identifier", .text, "its identifier") { text($0[ClinicalRecordDocument.identifier]) },
                    own("source_url", .text, "where it came from") { text($0[ClinicalRecordDocument.sourceURL]) },
                    own("resource", .json, "the resource itself") { document in
                        guard case .data(let bytes) = document[ClinicalRecordDocument.data] else { return .null }
                        return .text(String(decoding: bytes, as: UTF8.self))
                    },
                ], context, isWanted: { $0.identifier.hasPrefix("HKClinicalTypeIdentifier") }),
            ObjectTable(
                "objects", about: "All objects that are not quantity or category samples.",
                own: [
                    ObjectTable.Own(column: SQLColumn("kind", .text, "family, such as workout or document")) {
                        object, context in
                        SQLValue(context.reading.dictionaries.type(object.type).map { "\($0.kind)" })
                    },
                    ObjectTable.Own(
                        column: SQLColumn("body", .json, "content specific to the type, without series"), value: body),
                    ObjectTable.Own(column: SQLColumn("series", .json, "series of numbers, by name")) { object, _ in
                        guard let series = object.document?.series, !series.isEmpty else { return .null }
                        var json = JSONText()
                        json.series(series)
                        return .text(json.text)
                    },
                    ObjectTable.Own(
                        column: SQLColumn("members", .json, "sequence numbers of associated samples and objects")
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
            json.values(document.fields, context.instants)
        case .archived(let element): json.element(element)
        case .workout(let workout): json.object { $0.members(of: workout, context.instants) }
        case .activitySummary(let summary): json.object { $0.members(of: summary) }
        }
        return .text(json.text)
    }
}

extension ElectrocardiogramDocument {
    /// The leads of a recording with their voltages. No electrocardiogram has more than twelve.
    package static func leads(in series: [String: [Double]]) -> [(lead: Int, volts: [Double])] {
        (1...12).compactMap { lead in series[voltages(lead: lead)].map { (lead, $0) } }
    }
}

extension SchemaCatalog {
    static func correlations(_ context: TableContext) -> VirtualTable {
        ObjectTable(
            "correlations", about: "Correlations: blood pressure and food.",
            own: [
                ObjectTable.Own(column: SQLColumn("members", .integer, "number of samples")) {
                    SQLValue(try $1.reading.members(of: $0.sequence).count)
                }
            ], context, isWanted: { $0.kind == .correlation })
    }

    static func correlationMembers(_ context: TableContext) -> VirtualTable {
        PartTable(
            "correlation_members", about: "The samples in correlations.",
            of: SQLColumn("correlation", .integer, "the correlation’s sequence number"),
            own: [
                SQLColumn("sequence", .integer, "the sample’s number"),
                SQLColumn("type", .name, "short name of its type"),
                SQLColumn("value", .real, "its value"), SQLColumn("unit", .text, "its unit"),
            ], context, isWanted: { $0.kind == .correlation }
        ) { object, context in
            var filled = [object]
            try context.reading.fillMembers(of: &filled)
            let members = filled[0].members
            let types = members.map { context.reading.dictionaries.type($0.type) }
            let units = try types.map { try $0.flatMap { try context.unit(of: $0) } }
            return PartTable.Parts(count: members.count) { column, row in
                let (member, unit) = (members[row], units[row])
                let conversion = unit?.conversion(from: member.unit)
                return switch column {
                case 0: .integer(member.sequence)
                case 1: SQLValue(types[row]?.shortName)
                case 2: .real(conversion?(member.value) ?? member.value)
                default:
                    member.unit.isEmpty ? .null : .text(conversion == nil ? member.unit : unit?.unit ?? member.unit)
                }
            }
        }
    }
}
