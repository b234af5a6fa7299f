import ArgumentParser
import Foundation
import HealthStoragePostgreSQL

/// `hk database`: a PostgreSQL database with the stores of many people.
struct DatabaseCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "database", abstract: "Prepare and check a PostgreSQL database for the stores of many people.",
        discussion: """
            The address is a PostgreSQL connection URL. schema=NAME chooses the schema of the tables (default: \
            openhealthkit), and role=NAME the role that connections assume. replica=HOST:PORT is a streaming replica that \
            answers readers; direct=HOST:PORT is PostgreSQL’s own address, if the other one is PgBouncer’s.

              hk database init postgresql://admin@db/health
              hk database check 'postgresql://server@db/health?role=openhealthkit_server'
              hk import export.zip --store 'postgresql://server@db/health?person=anna'
            """,
        subcommands: [Initialize.self, Check.self])

    struct Initialize: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "init", abstract: "Create the tables, the servers’ role and, with Citus, the distribution.",
            discussion: """
                What exists already stays as it is. The user of the address must be allowed to create schemas and roles. \
                Where the database has the extension Citus, the tables are distributed by person, and all workers get the \
                role and their settings. Run it again when workers were added.
                """)

        @OptionGroup var database: DatabaseOptions

        @Option(name: .long, help: "The name of the role that restricts servers to one person’s rows at a time.")
        var role = PostgreSQLAdministration.serverRole

        func run() throws {
            try database.report(try database.administration().initialize(role: role))
        }
    }

    struct Check: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "check", abstract: "Report settings that risk data or limit scaling.",
            discussion: "The exit status is 1 if something should be changed.")

        @OptionGroup var database: DatabaseOptions

        func run() throws {
            try database.report(try database.administration().check())
        }
    }
}

/// The database of a subcommand, and the output format.
struct DatabaseOptions: ParsableArguments {
    @Argument(help: "The address, such as postgresql://host/database.")
    var address: String

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    private struct Line: Encodable {
        var isProblem: Bool
        var text: String
    }

    func administration() throws -> PostgreSQLAdministration {
        PostgreSQLAdministration(try PostgreSQLAddress(address))
    }

    /// Prints findings. Throws the exit status 1 if there is a problem.
    func report(_ findings: [PostgreSQLAdministration.Finding]) throws {
        if json {
            try JSONOutput.print(findings.map { Line(isProblem: $0.isProblem, text: $0.text) })
        } else {
            for finding in findings {
                let word = finding.isProblem ? Terminal.output.styled("problem", .red) : "ok     "
                print("\(word)  \(finding.text)")
            }
        }
        if findings.contains(where: \.isProblem) { throw ExitCode.failure }
    }
}
