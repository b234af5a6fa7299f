/// A column of a table: its name, and the type it is declared with.
struct SQLColumn: Sendable {
    /// What SQLite is told; it also says how values compare.
    enum Kind: String, Sendable {
        case text = "TEXT"
        /// Text that compares without case, as names that people type do.
        case name = "TEXT COLLATE NOCASE"
        case integer = "INTEGER"
        case real = "REAL"
        /// A JSON value as text.
        case json = "JSON"
    }

    let name: String
    let kind: Kind
    /// What stands in it, for `hk sql --schema`.
    let about: String

    init(_ name: String, _ kind: Kind, _ about: String) {
        self.name = name
        self.kind = kind
        self.about = about
    }
}
