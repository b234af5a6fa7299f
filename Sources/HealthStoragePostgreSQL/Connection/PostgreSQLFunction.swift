import HealthStorage

/// A function of the database about one person, which takes the place of several statements and round trips. The
/// coordinator of a cluster sends a call to the person's worker as a whole.
///
/// The first argument is the person. Settings of the transaction don't reach a worker, so the function sets the person
/// of row-level security itself.
struct PostgreSQLFunction: Sendable {
    var name: String
    /// The types of the arguments, which statements refer to by their numbers.
    var arguments: [String]
    /// The columns of the answer; none if the function writes.
    var columns: [String] = []
    /// The variables of the statements.
    var variables = ""
    /// Whether it has the rights of the tables' owner, to whom row-level security doesn't apply.
    var isOwners = false
    /// Returns the statements, for a schema.
    var statements: @Sendable (_ schema: String) -> String

    /// All functions of a database.
    static let all =
        [PostgreSQLOpening.function, PostgreSQLPageRuns.function, PostgreSQLCommit.function]
        + PostgreSQLIdentities.functions

    var signature: String { "\(name)(\(arguments.joined(separator: ", ")))" }

    /// The statement that creates the function. One that reads does so in one snapshot, that of the calling statement.
    func creation(in schema: String) -> String {
        let answer = columns.isEmpty ? "void" : "TABLE (\(columns.joined(separator: ", ")))"
        return """
            CREATE OR REPLACE FUNCTION \(schema).\(signature) RETURNS \(answer)
            LANGUAGE plpgsql \(columns.isEmpty ? "VOLATILE" : "STABLE")
            \(isOwners ? "SECURITY DEFINER SET search_path = pg_catalog, pg_temp" : "") AS $function$
            #variable_conflict use_column
            \(variables.isEmpty ? "" : "DECLARE \(variables)")
            BEGIN
                PERFORM set_config('\(PostgreSQLSchema.personSetting)', $1::text, true);
            \(statements(schema))
            END
            $function$
            """
    }

    /// The statement that lets the workers of a cluster execute the function.
    func distribution(in schema: String) -> String {
        """
        SELECT create_distributed_function('\(schema).\(signature)', '$1',
            colocate_with := '\(schema).\(PostgreSQLSchema.personTables[0])', force_delegation := true)
        """
    }

    /// A call.
    func call(in schema: String, _ values: [any PostgreSQLArgument]) -> PostgreSQLCall {
        let marks = (1...values.count).map { "$\($0)" }.joined(separator: ", ")
        return PostgreSQLCall("SELECT \(columns.isEmpty ? "" : "* FROM ")\(schema).\(name)(\(marks))", values)
    }
}
