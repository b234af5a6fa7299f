/// A table that SQLite sees: its columns, what it can narrow by itself, and how its rows are read.
///
/// Tables and cursors are used on the one thread their connection is used on.
class VirtualTable {
    final let name: String
    final let columns: [SQLColumn]
    /// What stands in it, for `hk sql --schema`.
    final let about: String
    /// The plans SQLite was given, by the numbers it hands back.
    final var plans: [IndexPlan] = []

    init(_ name: String, _ columns: [SQLColumn], about: String) {
        self.name = name
        self.columns = columns
        self.about = about
    }

    /// Says which of the constraints the table narrows by itself, and what that costs.
    func plan(_ request: inout IndexRequest) {}

    /// A cursor without rows, to be given a plan.
    func open() -> VirtualCursor {
        preconditionFailure("a table makes cursors of its own kind")
    }

    /// The table as SQL would declare it.
    final var declaration: String {
        "CREATE TABLE x(" + columns.map { "\"\($0.name)\" \($0.kind.rawValue)" }.joined(separator: ", ") + ")"
    }
}
