/// How a table is to be gone through: what SQLite and the table agreed on when the statement was prepared.
struct IndexPlan: Sendable {
    /// Comparisons a table can narrow by.
    enum Comparison: Sendable {
        case equal, greater, greaterOrEqual, less, lessOrEqual, like, glob, isNotNull
    }

    /// One comparison, its value given when the plan is used.
    struct Bound: Sendable {
        var column: Int
        var comparison: Comparison
    }

    /// In the order in which the values come.
    var bounds: [Bound] = []
    /// One bit a column; the last stands for all from the 64th on.
    var usedColumns: UInt64 = 0
    /// What the rows are in order of.
    var order = Order.natural

    enum Order: Sendable {
        /// As the table has them.
        case natural
        /// By start, the earliest first, whatever the type.
        case start
        /// By start, the latest first.
        case startDescending
    }

    /// Whether the statement reads the column.
    func uses(_ column: Int) -> Bool {
        usedColumns & (1 << UInt64(min(column, 63))) != 0
    }
}
