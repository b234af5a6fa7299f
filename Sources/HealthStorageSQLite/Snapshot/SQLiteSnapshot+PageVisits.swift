import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    /// In a time window. No page is longer than the type's longest, so the visit can begin that much
    /// before the window.
    final func visitPages(
        of type: TypeCode, startsBefore: Double?, endsAtOrAfter: Double?, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        var lowest = -Double.infinity
        if let endsAtOrAfter, let longest = try longestPage(of: type) {
            let bound = endsAtOrAfter - longest
            // The subtraction may have rounded up, as may the one the length comes from.
            lowest = bound - 4 * max(bound.ulp, endsAtOrAfter.ulp, longest.ulp)
            if lowest.isNaN { lowest = -.infinity }
        }
        let highest = startsBefore.map(\.nextDown) ?? .infinity
        guard lowest <= highest else { return }
        try visitPages(of: type, bodies: bodies, firstStarts: lowest...highest) { view in
            if let endsAtOrAfter, view.bounds.greatestEnd < endsAtOrAfter { return true }
            return try visit(view)
        }
    }

    /// By first start, in key order.
    final func visitPages(
        of type: TypeCode, bodies: Bool, firstStarts: ClosedRange<Double>,
        _ visit: (PageView) throws -> Bool
    ) throws {
        let conditions = "type = ? AND first_start >= ? AND first_start <= ? ORDER BY first_start, first_sequence"
        let sql = "\(SQLitePageRow.selection(bodies: bodies)) WHERE \(conditions)"
        try database.run(sql) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(firstStarts.lowerBound, at: 2)
            try statement.bind(firstStarts.upperBound, at: 3)
            while try statement.step() {
                guard try visit(try SQLitePageRow.view(statement, of: type, bodies: bodies)) else { return }
            }
        }
    }

    /// By greatest sequence, in key order: the index gives the keys, which are few; sorted, they are
    /// looked up one by one, so that no page's bytes go through a sorter. The index knows a bound of the
    /// greatest sequence only: the row itself tells.
    final func visitPages(
        of type: TypeCode, sequences: ClosedRange<Int64>, mayBeginLater: Bool, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        var keys = try database.run(
            """
            SELECT first_start, first_sequence FROM page_header INDEXED BY page_sequence
            WHERE type = ? AND sequence_bound >= ? AND least_sequence <= ?
            """
        ) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(sequences.lowerBound, at: 2)
            try statement.bind(mayBeginLater ? .max : sequences.lowerBound, at: 3)
            var keys: [PageKey] = []
            while try statement.step() {
                keys.append(PageKey(
                    type: type, firstStart: statement.real(0), firstSequence: statement.integer(1)))
            }
            return keys
        }
        keys.sort()
        let conditions = "type = ? AND first_start = ? AND first_sequence = ?"
        let sql = "\(SQLitePageRow.selection(bodies: bodies)) WHERE \(conditions)"
        for key in keys {
            let goesOn = try database.run(sql) { statement in
                try statement.bind(key)
                guard try statement.step() else { return true }
                let view = try SQLitePageRow.view(statement, of: type, bodies: bodies)
                return view.bounds.greatestSequence >= sequences.lowerBound ? try visit(view) : true
            }
            guard goesOn else { return }
        }
    }

    /// The greatest length, first start to greatest end, that a page of the type has ever had.
    final func longestPage(of type: TypeCode) throws -> Double? {
        try database.run("SELECT longest FROM page_span WHERE type = ?") { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            return try statement.step() ? statement.real(0) : nil
        }
    }
}
