import ArgumentParser
import Foundation
import HealthAnswers
import HealthStoragePostgreSQL

/// Where the process begins: parses the command line, runs the command, and reports an error
/// in one sentence.
@main
enum Program {
    static func main() async {
        ProcessPrivacy.restrictFiles()
        PostgreSQLStores.register()
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
            fail(error)
        }
    }

    /// Reports an error, and ends the process.
    private static func fail(_ error: any Error) -> Never {
        let prefix = Terminal.error.styled("Error:", .red)
        Terminal.printError("\(prefix) \(ErrorSentence.text(error))\n")
        Foundation.exit(
            error is UsageError || error is ParameterError || error is NotFoundError
                ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue)
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
    static let version = "0.1.0"

    static let configuration = CommandConfiguration(
        commandName: "hk", abstract: "Import, query and manage a health store.",
        discussion: """
            A store holds one person's health history: samples imported from an Apple Health archive, \
            saved by programs that use HealthKit, or added by hand. Start with “hk import export.zip”, \
            or with “hk generate demo.zip” if you don’t have an archive.

            The store is the file given by --store, or by $HEALTHKIT_STORE, or \
            ~/.local/share/openhealthkit/health.sqlite. An address such as \
            postgresql://host/database?person=anna is a store in a PostgreSQL database.
            """,
        version: version,
        subcommands: [
            ImportCommand.self, ExportCommand.self, CrosscheckCommand.self, TypesCommand.self, SourcesCommand.self,
            SamplesCommand.self, StatsCommand.self, SQLCommand.self, TodayCommand.self, RingsCommand.self,
            EnergyCommand.self, SleepCommand.self, WorkoutsCommand.self, WatchCommand.self, AddCommand.self,
            ProfileCommand.self, AuthorizeCommand.self, BackgroundCommand.self, DaemonCommand.self,
            GenerateCommand.self, DoctorCommand.self, ServeCommand.self, PersonCommand.self, TokenCommand.self,
            CohortCommand.self, SyncCommand.self, MCPCommand.self, DatabaseCommand.self, CopyCommand.self,
            BackupCommand.self, RestoreCommand.self, KeyCommand.self,
        ])
}

/// What a process leaves behind that could contain health data: its files, and its memory if it crashes.
enum ProcessPrivacy {
    /// Makes every file and folder that this process creates its owner's only, whatever the user's umask.
    static func restrictFiles() {
        umask(0o077)
    }

    /// Keeps the memory of a process that runs for long out of core dumps and crash logs, unless
    /// `HEALTHKIT_CORE_DUMPS=allow`.
    ///
    /// The limit stops core files. A program that the kernel pipes dumps to may ignore it, so the filter leaves all
    /// memory out of them. Programs that this process starts inherit both.
    static func restrictDumps(environment: [String: String] = ProcessInfo.processInfo.environment) {
        guard environment["HEALTHKIT_CORE_DUMPS"] != "allow" else { return }
        var none = rlimit(rlim_cur: 0, rlim_max: 0)
        #if canImport(Glibc)
            setrlimit(__rlimit_resource_t(RLIMIT_CORE.rawValue), &none)
        #else
            setrlimit(RLIMIT_CORE, &none)
        #endif
        if let filter = FileHandle(forWritingAtPath: "/proc/self/coredump_filter") {
            try? filter.write(contentsOf: Data("0".utf8))
        }
        // Swift's crash log shows memory that registers point to. Who sets its options wants it.
        if environment["SWIFT_BACKTRACE"] == nil {
            for number in [SIGQUIT, SIGILL, SIGTRAP, SIGABRT, SIGBUS, SIGFPE, SIGSEGV] { signal(number, SIG_DFL) }
        }
    }
}
