import GRDBSQLite

/// What SQLite asks of a table before it runs a statement: which comparisons it can narrow by, and whether the
/// rows come in the order wanted.
struct IndexRequest {
    private let info: UnsafeMutablePointer<sqlite3_index_info>
    private(set) var plan = IndexPlan()

    /// A key of the order wanted.
    struct Key: Equatable {
        var column: Int
        var isDescending: Bool
    }

    init(_ info: UnsafeMutablePointer<sqlite3_index_info>) {
        self.info = info
        plan.usedColumns = info.pointee.colUsed
    }

    /// The order wanted, the weightiest key first.
    var order: [Key] {
        (0..<Int(info.pointee.nOrderBy)).map { index in
            let key = info.pointee.aOrderBy[index]
            return Key(column: Int(key.iColumn), isDescending: key.desc != 0)
        }
    }

    /// Takes every usable comparison of the column with one of these operators; the value comes with the plan.
    ///
    /// - Parameters:
    ///   - isExact: whether SQLite need not look at the rows again.
    ///   - collation: the one the table compares in; in another the rows are looked at again in any case.
    /// - Returns: the operators taken.
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

    /// Whether a comparison is made in this collation.
    private func hasCollation(_ constraint: Int, _ name: String) -> Bool {
        guard let found = sqlite3_vtab_collation(info, Int32(constraint)) else { return false }
        return String(cString: found).uppercased() == name
    }

    /// Tells the rows' order, and that SQLite need not sort.
    mutating func deliver(_ order: IndexPlan.Order) {
        plan.order = order
        info.pointee.orderByConsumed = 1
    }

    /// Tells about how many rows there will be, and that reading them costs so much.
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
