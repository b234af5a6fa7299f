import GRDBSQLite

/// A request of SQLite's query planner: the constraints a table can apply, and the requested order.
struct IndexRequest {
    private let info: UnsafeMutablePointer<sqlite3_index_info>
    private(set) var plan = IndexPlan()

    /// A term of the requested order.
    struct Key: Equatable {
        var column: Int
        var isDescending: Bool
    }

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
        self.info = info
        plan.usedColumns = info.pointee.colUsed
    }

    /// The requested order, most significant term first.
    var order: [Key] {
        (0..<Int(info.pointee.nOrderBy)).map { index in
            let key = info.pointee.aOrderBy[index]
            return Key(column: Int(key.iColumn), isDescending: key.desc != 0)
        }
    }

    /// Accepts every usable constraint on a column with one of the operators. The value is passed with the plan.
    ///
    /// - Parameters:
    ///   - isExact: Whether SQLite needn't check the rows again.
    ///   - collation: The collation of the table's comparison. With any other, SQLite checks the rows again.
    /// - Returns: The accepted operators.
    @discardableResult
    mutating func take(
        _ column: Int, _ wanted: [IndexPlan.Comparison], isExact: Bool = false, collation: String = "BINARY"
    ) -> [IndexPlan.Comparison] {
        var taken: [IndexPlan.Comparison] = []
        for index in 0..<Int(info.pointee.nConstraint) {
            let constraint = info.pointee.aConstraint[index]
            guard Int(constraint.iColumn) == column, constraint.usable != 0,
                let comparison = Self.comparison(constraint.op), wanted.contains(comparison)
            else { continue }
            plan.bounds.append(IndexPlan.Bound(column: column, comparison: comparison))
            info.pointee.aConstraintUsage[index].argvIndex = Int32(plan.bounds.count)
            info.pointee.aConstraintUsage[index].omit = isExact && hasCollation(index, collation) ? 1 : 0
            taken.append(comparison)
        }
        return taken
    }

    /// Whether a constraint uses this collation.
    private func hasCollation(_ constraint: Int, _ name: String) -> Bool {
        guard let found = sqlite3_vtab_collation(info, Int32(constraint)) else { return false }
        return String(cString: found).uppercased() == name
    }

    /// Declares that the rows come in the requested order.
    mutating func deliver(_ order: IndexPlan.Order) {
        plan.order = order
        info.pointee.orderByConsumed = 1
    }

    /// Reports the estimated number of rows and the cost of reading them.
    func estimate(rows: Double, cost: Double, isUnique: Bool = false) {
        info.pointee.estimatedRows = Int64(max(1, rows))
        info.pointee.estimatedCost = cost
        if isUnique { info.pointee.idxFlags = Int32(SQLITE_INDEX_SCAN_UNIQUE) }
    }

    private static func comparison(_ code: UInt8) -> IndexPlan.Comparison? {
        switch Int32(code) {
        case SQLITE_INDEX_CONSTRAINT_EQ: .equal
        case SQLITE_INDEX_CONSTRAINT_GT: .greater
        case SQLITE_INDEX_CONSTRAINT_GE: .greaterOrEqual
        case SQLITE_INDEX_CONSTRAINT_LT: .less
        case SQLITE_INDEX_CONSTRAINT_LE: .lessOrEqual
        case SQLITE_INDEX_CONSTRAINT_LIKE: .like
        case SQLITE_INDEX_CONSTRAINT_GLOB: .glob
        case SQLITE_INDEX_CONSTRAINT_ISNOTNULL: .isNotNull
        default: nil
        }
    }
}

/// The plan for reading a table, agreed between SQLite and the table when the statement was prepared.
struct IndexPlan: Sendable {
    /// The operators of constraints.
    enum Comparison: Sendable {
        case equal, greater, greaterOrEqual, less, lessOrEqual, like, glob, isNotNull
    }

    /// A constraint. Its value is passed when the plan runs.
    struct Bound: Sendable {
        var column: Int
        var comparison: Comparison
    }

    /// The constraints in the order of their values.
    var bounds: [Bound] = []
    /// One bit per column. The last bit represents all columns from the 64th on.
    var usedColumns: UInt64 = 0
    /// The order of the rows.
    var order = Order.natural

    enum Order: Sendable {
        /// The table's own order.
        case natural
        /// By start date ascending, across types.
        case start
        /// By start date descending, across types.
        case startDescending
    }

    /// Whether the statement reads the column.
    func uses(_ column: Int) -> Bool {
        usedColumns & (1 << UInt64(min(column, 63))) != 0
    }
}
