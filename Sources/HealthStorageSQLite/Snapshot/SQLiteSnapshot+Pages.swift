import HealthModel
import HealthStorage

extension SQLiteSnapshot {
    final func visitPages(
        of type: TypeCode, in window: PageWindow, bodies: Bool,
        _ visit: (PageView) throws -> Bool
    ) throws {
        switch window {
        case .all:
            try visitPages(of: type, bodies: bodies, firstStarts: -.infinity ... .infinity, visit)
        case .time(let startsBefore, let endsAtOrAfter):
            try visitPages(
                of: type, startsBefore: startsBefore, endsAtOrAfter: endsAtOrAfter, bodies: bodies, visit)
        case .sequencesAfter(let sequence):
            guard sequence < .max else { return }
            try visitPages(of: type, sequences: sequence + 1 ... .max, mayBeginLater: true, bodies: bodies, visit)
        case .containing(let sequence):
            try visitPages(of: type, sequences: sequence ... .max, mayBeginLater: false, bodies: bodies, visit)
        }
    }

    final func page(of type: TypeCode, forStart start: Double) throws -> StoredPage? {
        let found = try database.run(Self.lastPageUpToStart) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            try statement.bind(start, at: 2)
            return try page(statement, of: type)
        }
        if let found { return found }
        return try database.run(Self.firstPage) { statement in
            try statement.bind(Int64(type.rawValue), at: 1)
            return try page(statement, of: type)
        }
    }

    private static let lastPageUpToStart = """
        \(SQLitePageRow.selection(bodies: true)) WHERE type = ? AND first_start <= ?
        ORDER BY first_start DESC, first_sequence DESC LIMIT 1
        """
    private static let firstPage = """
        \(SQLitePageRow.selection(bodies: true)) WHERE type = ?
        ORDER BY first_start, first_sequence LIMIT 1
        """

    private func page(_ statement: PreparedStatement, of type: TypeCode) throws -> StoredPage? {
        guard try statement.step() else { return nil }
        let page = try SQLitePageRow.view(statement, of: type, bodies: true).copy
        found(page.key, at: SQLitePageRow.place(statement))
        return page
    }

    final func pageBody(_ key: PageKey) throws -> [UInt8]? {
        try database.run(
            """
            SELECT body, bytes FROM page_header LEFT JOIN page_body ON id = body_id
            WHERE type = ? AND first_start = ? AND first_sequence = ?
            """
        ) { statement in
            try statement.bind(key)
            return try statement.step() ? Array(SQLitePageRow.body(statement, at: 0)) : nil
        }
    }

    final func typesInUse() throws -> [TypeCode] {
        let pages = try types("SELECT type FROM page_header WHERE type > ? ORDER BY type LIMIT 1")
        let objects = try types("SELECT type FROM object WHERE type > ? ORDER BY type LIMIT 1")
        return Set(pages + objects).sorted()
    }

    /// Asks for the next type again and again: the rows between are never read.
    private func types(_ next: String) throws -> [TypeCode] {
        var types: [TypeCode] = []
        while true {
            let found = try database.run(next) { statement -> UInt32? in
                try statement.bind(types.last.map { Int64($0.rawValue) } ?? -1, at: 1)
                return try statement.step() ? try statement.number(0) : nil
            }
            guard let found else { return types }
            types.append(TypeCode(rawValue: found))
        }
    }
}
