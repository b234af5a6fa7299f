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
        OutputFiles.prepare()
        PathAlias.prepareEnvironment()
        PostgreSQLStores.register()
        PassphrasePrompt.register()
        let command: any ParsableCommand
        do {
            command = try HealthCommand.parseAsRoot(PathAlias.arguments())
        } catch {
            end(error)
        }
        do {
            try CurrentTime.check()
            try await run(command)
            try StandardOutput.flush()
        } catch let error
            where error is ExitCode || error is CleanExit || HealthCommand.exitCode(for: error) == .success
        {
            // A command without a subcommand throws a help request.
            end(error)
        } catch {
            fail(error)
        }
    }

    /// Ends the process with the message of the library for arguments, such as the help.
    private static func end(_ error: any Error) -> Never {
        let (text, code) = (HealthCommand.fullMessage(for: error), HealthCommand.exitCode(for: error))
        if code == .success, !text.isEmpty { print(text) }
        do {
            try StandardOutput.flush()
        } catch {
            fail(error)
        }
        if code != .success, !text.isEmpty { Terminal.printError(text + "\n") }
        Foundation.exit(code.rawValue)
    }

    /// Reports an error, and ends the process.
    private static func fail(_ error: any Error) -> Never {
        Interruption.waitForEnd()
        // What was printed before.
        try? StandardOutput.flush()
        if (error as? OutputError)?.isClosedPipe ?? false {
            // As if the program didn't know of it, which shells expect.
            signal(SIGPIPE, SIG_DFL)
            raise(SIGPIPE)
        }
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
        version: version + "\n" + LibraryVersions.text,
        subcommands: [
            ImportCommand.self, ImportsCommand.self, ExportCommand.self, CrosscheckCommand.self, TypesCommand.self,
            SourcesCommand.self, SamplesCommand.self, StatsCommand.self, SQLCommand.self, TodayCommand.self,
            HighlightsCommand.self, RingsCommand.self, EnergyCommand.self, SleepCommand.self, WorkoutsCommand.self,
            GapsCommand.self, CyclesCommand.self, ChangesCommand.self, WatchCommand.self, AddCommand.self,
            DeleteCommand.self,
            ProfileCommand.self, AuthorizeCommand.self, BackgroundCommand.self, DaemonCommand.self,
            GenerateCommand.self, DoctorCommand.self, ServeCommand.self, PersonCommand.self, TokenCommand.self,
            CohortCommand.self, SyncCommand.self, MCPCommand.self, DatabaseCommand.self, CopyCommand.self,
            BackupCommand.self, RestoreCommand.self, KeyCommand.self,
        ])
}

/// The files that a process writes to.
private enum OutputFiles {
    static func prepare() {
        // A file beyond the limit of its size is an error like a full disk.
        signal(SIGXFSZ, SIG_IGN)
        // A store must not get the number of a standard file that is closed. Using it stays an error.
        for descriptor in [STDIN_FILENO, STDOUT_FILENO, STDERR_FILENO] where fcntl(descriptor, F_GETFD) < 0 {
            _ = open("/dev/null", descriptor == STDIN_FILENO ? O_WRONLY : O_RDONLY)
        }
    }
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
    static func restrictDumps() {
        let environment = ProcessInfo.processInfo.environment
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
