import HealthSQL

/// What `hk sql --schema` prints.
struct SchemaText {
    private let schema: SchemaListing

    init(_ schema: SchemaListing) {
        self.schema = schema
    }

    private struct Answer: Encodable {
        struct Table: Encodable {
            var name: String
            var about: String
            var columns: [Column]
        }

        struct Column: Encodable {
            var name: String
            var type: String
            var about: String
        }

        struct Function: Encodable {
            var signature: String
            var about: String
        }

        var tables: [Table]
        var views: [Table]
        var functions: [Function]
    }

    func print(asJSON: Bool) throws {
        guard !asJSON else { return try JSONOutput.print(answer) }
        var text = ""
        for table in schema.tables {
            text += "\(Terminal.output.styled(table.name, .bold))  \(table.about)\n"
            let width = table.columns.map(\.name.count).max() ?? 0
            for column in table.columns {
                text += "  " + padded(column.name, width) + padded(column.kind, 7) + column.about + "\n"
            }
            text += "\n"
        }
        text += list("Views", schema.views.map { ($0.name, $0.about) })
        text += "\n" + list("Functions", schema.functions.map { ($0.signature, $0.about) })
        try StandardOutput.send(Array(text.utf8))
    }

    private func list(_ title: String, _ lines: [(String, String)]) -> String {
        let width = lines.map(\.0.count).max() ?? 0
        return Terminal.output.styled(title, .bold) + "\n"
            + lines.map { "  " + padded($0.0, width) + $0.1 + "\n" }.joined()
    }

    private func padded(_ text: String, _ width: Int) -> String {
        text + String(repeating: " ", count: max(0, width - text.count) + 2)
    }

    private var answer: Answer {
        func tables(_ list: [SchemaListing.Table]) -> [Answer.Table] {
            list.map { table in
                Answer.Table(
                    name: table.name, about: table.about,
                    columns: table.columns.map { .init(name: $0.name, type: $0.kind, about: $0.about) })
            }
        }
        return Answer(
            tables: tables(schema.tables), views: tables(schema.views),
            functions: schema.functions.map { .init(signature: $0.signature, about: $0.about) })
    }
}
