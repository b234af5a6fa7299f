extension PostgreSQLDatabase {
    /// A person of a database.
    package struct Person: Hashable, Sendable {
        package var name: String
        /// The title that is shown in place of the name; `nil` for the name.
        package var title: String?
    }

    /// People, in the order of the bytes of their names.
    ///
    /// - Parameters:
    ///   - search: A part of the name or title, in letters of either case; without one, everyone.
    ///   - last: The name after which to begin.
    ///   - names: Those among whom they are; without it, all.
    ///   - limit: The greatest number of people; without one, all.
    package func people(
        search: String? = nil, after last: String? = nil, among names: [String]? = nil, limit: Int? = nil
    ) throws -> [Person] {
        var conditions: [String] = []
        var arguments: [any PostgreSQLArgument] = []
        func add(_ argument: any PostgreSQLArgument, _ condition: (String) -> String) {
            arguments.append(argument)
            conditions.append(condition("$\(arguments.count)"))
        }
        if let last { add(last) { "name > \($0)" } }
        if let names { add(names) { "name = ANY(\($0))" } }
        if let search {
            add(search) { "(strpos(lower(name), lower(\($0))) > 0 OR strpos(lower(title), lower(\($0))) > 0)" }
        }
        let filter = conditions.isEmpty ? "" : " WHERE " + conditions.joined(separator: " AND ")
        arguments.append(limit.map { Int64($0) })
        let rows = try run([
            PostgreSQLCall("SELECT name, title FROM person\(filter) ORDER BY name LIMIT $\(arguments.count)", arguments)
        ])
        return rows.map { Person(name: $0.text(0), title: $0.isNull(1) ? nil : $0.text(1)) }
    }
}
