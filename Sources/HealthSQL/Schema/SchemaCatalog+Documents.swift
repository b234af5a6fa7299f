import HealthEngine
import HealthJSON
package import HealthModel
import HealthStorage

extension SchemaCatalog {
    /// Clinical records, and all objects of any kind.
    static func documents(_ context: TableContext) -> [VirtualTable] {
        [
            ObjectTable(
                .clinicalRecords,
                own: [
                    ofDocument { text($0[ClinicalRecordDocument.displayName]) },
                    ofDocument { text($0[ClinicalRecordDocument.resourceType]) },
                    ofDocument { text($0[ClinicalRecordDocument.version]) },
                    ofDocument { text($0[ClinicalRecordDocument.identifier]) },
                    ofDocument { text($0[ClinicalRecordDocument.sourceURL]) },
                    ofDocument { document in
                        guard case .data(let bytes) = document[ClinicalRecordDocument.data] else { return .null }
                        return .text(String(decoding: bytes, as: UTF8.self))
                    },
                ], context, isWanted: { $0.identifier.hasPrefix("HKClinicalTypeIdentifier") }),
            ObjectTable(
                .objects,
                own: [
                    { object, context in
                        SQLValue(context.reading.dictionaries.type(object.type).map { "\($0.kind)" })
                    }, body,
                    { object, _ in
                        guard let series = object.document?.series, !series.isEmpty else { return .null }
                        var json = JSONText()
                        json.series(series)
                        return .text(json.text)
                    },
                    { object, context in
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
            .correlations, own: [{ SQLValue(try $1.reading.members(of: $0.sequence).count) }], context,
            isWanted: { $0.kind == .correlation })
    }

    static func correlationMembers(_ context: TableContext) -> VirtualTable {
        PartTable(.correlationMembers, context, isWanted: { $0.kind == .correlation }) { object, context in
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
