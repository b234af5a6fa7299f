import HealthEngine
import HealthModel

extension SchemaCatalog {
    static func correlations(_ context: TableContext) -> VirtualTable {
        ObjectTable(
            "correlations", about: "Groups of samples: blood pressure, food.",
            own: [
                ObjectTable.Own(column: SQLColumn("members", .integer, "how many samples belong to it")) {
                    SQLValue(try $1.reading.members(of: $0.sequence).count)
                }
            ], context, isWanted: { $0.kind == .correlation })
    }

    static func correlationMembers(_ context: TableContext) -> VirtualTable {
        PartTable(
            "correlation_members", about: "The samples of correlations.",
            of: SQLColumn("correlation", .integer, "the correlation’s sequence"),
            own: [
                SQLColumn("sequence", .integer, "the sample’s number"), SQLColumn("type", .name, "short name of its type"),
                SQLColumn("value", .real, "its value"), SQLColumn("unit", .text, "its unit"),
            ], context, isWanted: { $0.kind == .correlation }
        ) { object, context in
            var filled = [object]
            try context.reading.fillMembers(of: &filled)
            let members = filled[0].members
            return PartTable.Parts(count: members.count) { column, row in
                let member = members[row]
                return switch column {
                case 0: .integer(member.sequence)
                case 1: SQLValue(context.reading.dictionaries.type(member.type)?.shortName)
                case 2: .real(member.value)
                default: member.unit.isEmpty ? .null : .text(member.unit)
                }
            }
        }
    }
}
