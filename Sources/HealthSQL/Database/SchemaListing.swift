/// What SQL sees, for people.
public struct SchemaListing: Sendable {
    /// A table or view.
    public struct Table: Sendable {
        /// Its name.
        public let name: String
        /// What stands in it.
        public let about: String
        /// What its rows are.
        public let rows: Rows
        /// Its columns; none for a view, which has those of a table.
        public let columns: [Column]
    }

    /// What the rows of a table are.
    public enum Rows: Hashable, Sendable {
        /// Quantity and category samples, with `type`, `start_time` and `sequence`.
        case samples
        /// Objects, with the same columns.
        case objects
        /// Parts of objects, told by the owner's sequence in the table's first column.
        case parts
        /// Something else, and little of it.
        case list
        /// Those of other tables.
        case view
    }

    /// A column of a table.
    public struct Column: Sendable {
        /// Its name.
        public let name: String
        /// How it is declared: TEXT, INTEGER, REAL or JSON.
        public let kind: String
        /// What stands in it.
        public let about: String
    }

    /// A function beside SQLite's own.
    public struct Function: Sendable {
        /// How it is called, such as `day(time)`.
        public let signature: String
        /// What it gives.
        public let about: String
    }

    /// The tables over the store.
    public let tables: [Table]
    /// The views over the tables.
    public let views: [Table]
    /// The functions.
    public let functions: [Function]
}

extension HealthDatabase {
    /// The tables, views and functions there are.
    public var schema: SchemaListing {
        SchemaListing(
            tables: tables.map { table in
                SchemaListing.Table(
                    name: table.name, about: table.about, rows: Self.rows(of: table),
                    columns: table.columns.map { column in
                        let kind = column.kind == .name ? "TEXT" : column.kind.rawValue
                        return SchemaListing.Column(name: column.name, kind: kind, about: column.about)
                    })
            }, views: views.map { SchemaListing.Table(name: $0.name, about: $0.about, rows: .view, columns: []) },
            functions: Self.functions.map { SchemaListing.Function(signature: $0.signature, about: $0.about) })
    }

    private static func rows(of table: VirtualTable) -> SchemaListing.Rows {
        switch table {
        case is SampleTable: .samples
        case is ObjectTable: .objects
        case is PartTable: .parts
        default: .list
        }
    }
}
