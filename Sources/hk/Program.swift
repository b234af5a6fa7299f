import ArgumentParser
import Foundation
import HealthStoragePostgreSQL

/// Where the process begins: parses the command line, runs the command, and reports an error
/// in one sentence.
@main
enum Program {
    static func main() async {
        ProcessPrivacy.restrictFiles()
        PostgreSQLStorage.register()
        PassphrasePrompt.register()
        let command: any ParsableCommand
        do {
            command = try HealthCommand.parseAsRoot()
        } catch {
            HealthCommand.exit(withError: error)
        }
        do {
            try CurrentTime.check()
            try await run(command)
        } catch let error as ExitCode {
            HealthCommand.exit(withError: error)
        } catch let error as CleanExit {
            HealthCommand.exit(withError: error)
        } catch let error where HealthCommand.exitCode(for: error) == .success {
            // A command without a subcommand throws a help request.
            HealthCommand.exit(withError: error)
        } catch {
            let prefix = Terminal.error.styled("Error:", .red)
            Terminal.printError("\(prefix) \(ErrorSentence.text(error))\n")
            Foundation.exit(error is UsageError ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue)
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        defer { CommandEngine.shared.close() }
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }
}

/// The command line: one subcommand a file below Commands/.
struct HealthCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "hk",
        abstract: "Import, query and manage a health store.",
        discussion: """
            A store holds one person's health history: samples imported from an Apple Health archive, \
            saved by programs that use HealthKit, or added by hand. Start with “hk import export.zip”, \
            or with “hk generate demo.zip” if you don’t have an archive.

            The store is the file given by --store, or by $HEALTHKIT_STORE, or \
            ~/.local/share/openhealthkit/health.sqlite. An address such as \
            postgresql://host/database?person=anna is a store in a PostgreSQL database.
            """,
        version: "0.1.0",
        subcommands: [
            ImportCommand.self, ExportCommand.self, CrosscheckCommand.self, TypesCommand.self, SourcesCommand.self,
            SamplesCommand.self, StatsCommand.self, SQLCommand.self, TodayCommand.self, RingsCommand.self,
            EnergyCommand.self, SleepCommand.self, WorkoutsCommand.self, WatchCommand.self, AddCommand.self,
            ProfileCommand.self, AuthorizeCommand.self, BackgroundCommand.self, DaemonCommand.self, GenerateCommand.self,
            DoctorCommand.self, ServeCommand.self,
            PersonCommand.self, TokenCommand.self, CohortCommand.self, SyncCommand.self, MCPCommand.self,
            DatabaseCommand.self, CopyCommand.self, BackupCommand.self, RestoreCommand.self, KeyCommand.self,
        ])
}
