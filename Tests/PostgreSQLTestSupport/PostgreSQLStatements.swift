import Foundation
import Synchronization

/// The statements that tests have sent to PostgreSQL, and the rule for them: each names the one person whose rows it
/// reads or writes, so that a cluster can route it to one shard.
public final class PostgreSQLStatements: Sendable {
    /// The tables with people's data.
    public static let personTables = [
        "store", "page", "page_span", "object", "link_run", "identity", "sync", "tombstone", "source", "revision",
        "device",
        "unit", "type", "setting",
    ]
    /// The tables that a cluster keeps on every node, with neither samples nor settings.
    public static let referenceTables = ["person", "schema_version"]

    /// The end of statements with which tests try what breaks the rule.
    public static let deliberate = "/* deliberately */"

    private let texts = Mutex<Set<String>>([])

    /// Creates an empty collection.
    public init() {}

    /// Adds a statement.
    public func add(_ statement: String) {
        _ = texts.withLock { $0.insert(statement) }
    }

    /// The different statements.
    public var all: [String] { texts.withLock { $0.sorted() } }

    /// The statements that break the rule.
    public var offenders: [String] { all.filter { !Self.namesPerson($0) } }

    /// Whether every part of a statement that names a table with people's data names the person as well: a query in its
    /// condition, an insertion as its first column.
    public static func namesPerson(_ statement: String) -> Bool {
        // The schema itself isn't a person's data, and tests try what no program may.
        if statement.contains("CREATE TABLE schema_version") || statement.hasPrefix("SELECT create_") { return true }
        // Nor is the function of a save, whose statements all name the person.
        if statement.hasPrefix("CREATE OR REPLACE FUNCTION") { return true }
        if statement.hasSuffix(deliberate) { return true }
        return queries(of: statement).allSatisfy { query in
            let words = query.split { " \n\t,;".contains($0) }.map(String.init)
            let tables = zip(words, words.dropFirst()).filter {
                ["FROM", "INTO", "UPDATE", "JOIN", "COPY"].contains($0.0)
            }
            .compactMap { $0.1.split(separator: ".").last.map(String.init) }
            guard tables.contains(where: { personTables.contains($0) }) else { return true }
            if query.hasPrefix("INSERT INTO") {
                // The row in `changed` is the person's. A cluster doesn't select a constant on one shard.
                return statement.contains(
                    /INSERT INTO \w+\s+\(\s*person,[^)]*\)\s+(VALUES \(\$1,|SELECT person,[^)]*FROM changed|SELECT store\.person, rows\.\* FROM store,[^;]*WHERE store\.person = \$1$)/
                )
            }
            if query.hasPrefix("COPY") { return statement.wholeMatch(of: /(?s)COPY \w+ \(person,.*/) != nil }
            guard tables.filter({ personTables.contains($0) }).count == 1 else { return false }
            // Or the people who are read together, whom a batch has on one shard.
            let isNamed =
                query.contains(/WHERE (\w+\.)?person = \$1\b/)
                || query.contains(/WHERE person = ANY\b/) && statement.contains("person = ANY($1)")
            return isNamed && !query.contains(/\bOR\b/)
        }
    }

    /// The queries of a statement, each without those in its parentheses, and divided at UNION.
    private static func queries(of statement: String) -> [String] {
        var open: [String] = [""]
        var done: [String] = []
        for character in statement {
            switch character {
            case "(": open.append("")
            case ")" where open.count > 1: done.append(open.removeLast())
            default: open[open.count - 1].append(character)
            }
        }
        return (done + open).flatMap { $0.components(separatedBy: "UNION ALL") }
            .map { $0.trimmingCharacters(in: .whitespacesAndNewlines) }
    }
}
