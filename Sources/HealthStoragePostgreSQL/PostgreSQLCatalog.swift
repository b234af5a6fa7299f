import HealthModel
import HealthStorage

/// A person's dictionaries and lengths of pages, which change rarely and are kept in memory.
struct PostgreSQLCatalog: Sendable {
    /// The number of the transaction that changed them last.
    var version: Int64 = 0
    private var index = IndexedDictionaries()
    private var longest: [TypeCode: Double] = [:]

    var dictionaries: StoreDictionaries { index.dictionaries }

    func number(of entry: DictionaryEntry) -> UInt32? { index.number(of: entry) }

    /// An upper bound of the length of the type's pages, from first start to maximum end.
    func longestPage(of type: TypeCode) -> Double? { longest[type] }

    /// Adds an entry and returns its number.
    mutating func add(_ entry: DictionaryEntry) -> UInt32 { index.intern(entry) }

    /// Raises the maximum page length of a type, which is never lowered, to the next power of two, so that pages that
    /// grow sample by sample rarely change it. Returns the new one; `nil` if it stays.
    mutating func raiseSpan(_ span: Double, of type: TypeCode) -> Double? {
        guard span > longest[type] ?? 0 else { return nil }
        let bound = span.isNormal && span.binade < Double.greatestFiniteMagnitude / 2 ? span.binade * 2 : span
        longest[type] = bound
        return bound
    }
}

extension PostgreSQLCatalog {
    /// The statements whose rows ``init(version:_:)`` reads.
    static func selection(_ person: Int64) -> [PostgreSQLCall] {
        let tables = DictionaryTable.allCases.map { table in
            let columns = ([table.key] + table.columns).joined(separator: ", ")
            return "SELECT \(columns) FROM \(table.rawValue) WHERE person = $1 ORDER BY \(table.key)"
        }
        return (tables + ["SELECT type, longest FROM page_span WHERE person = $1"]).map { sql in
            PostgreSQLCall(sql, [person])
        }
    }

    /// The same for several people. The person is in the last column, ``personColumns``.
    static func selection(_ people: [Int64]) -> [PostgreSQLCall] {
        let tables = DictionaryTable.allCases.map { table in
            let columns = ([table.key] + table.columns).joined(separator: ", ")
            return "SELECT \(columns), person FROM \(table.rawValue) WHERE person = ANY($1) ORDER BY \(table.key)"
        }
        return (tables + ["SELECT type, longest, person FROM page_span WHERE person = ANY($1)"]).map { sql in
            PostgreSQLCall(sql, [people])
        }
    }

    /// The places of the person in the rows of each statement.
    static let personColumns = DictionaryTable.allCases.map { Int32($0.columns.count + 1) } + [2]

    /// Reads the last rows, those of ``selection(_:)``.
    init<Rows: Sequence>(version: Int64, _ answers: [Rows]) throws where Rows.Element: DatabaseRow {
        self.version = version
        guard let spans = answers.last, answers.count > DictionaryTable.allCases.count else {
            throw PostgreSQLSnapshot.noAnswer
        }
        var dictionaries = StoreDictionaries()
        for (table, rows) in zip(DictionaryTable.allCases, answers.dropLast().suffix(DictionaryTable.allCases.count)) {
            for row in rows { try dictionaries.append(row, of: table) }
        }
        index = IndexedDictionaries(dictionaries)
        for row in spans { longest[try row.code(0)] = try row.real(1) }
    }
}
