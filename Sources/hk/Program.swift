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
        PostgreSQLStores.register()
        PassphrasePrompt.register()
        let command: any ParsableCommand
        do {
            try requireText()
            command = try HealthCommand.parseAsRoot()
        } catch let error as UsageError {
            fail(error)
        } catch {
            if HealthCommand.exitCode(for: error) != .success, let quoting = TypeName.quoting {
                fail(UsageError(quoting))
            }
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

    /// - Throws: ``UsageError`` for an argument or a path in the environment that isn't UTF-8. No string holds it, and
    ///   one with other characters would be another name.
    private static func requireText() throws {
        let names: [String] = ["HEALTHKIT_STORE", "HEALTHKIT_KEY_FILE"]
        let arguments = (1..<max(1, Int(CommandLine.argc))).map { CommandLine.unsafeArgv[$0] }
        for text in (arguments + names.map { getenv($0) }).compactMap(\.self)
        where String(validatingCString: text) == nil {
            throw UsageError("“\(String(cString: text))” isn’t UTF-8. Rename the file or the folder.")
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
        InterruptHandler.waitForEnd()
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
        let demo = try DemoStore.isWanted && !(command is HealthCommand) ? DemoStore(for: command) : nil
        defer {
            CommandEngine.shared.close()
            demo?.remove()
        }
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
            or look around with a fictional person: “hk --demo stats steps”, “hk serve --demo”.

              hk stats steps --last week
              hk sleep --last 30d --compare 1y
              hk workouts --activity running --records

            The store is the file given by --store, or by $HEALTHKIT_STORE, or \
            ~/.local/share/openhealthkit/health.sqlite. An address such as \
            postgresql://host/database?person=anna is a store in a PostgreSQL database.
            """,
        version: version + "\n" + LibraryVersions.text,
        subcommands: [
            ImportCommand.self, ImportsCommand.self, ExportCommand.self, TypesCommand.self,
            SourcesCommand.self, SamplesCommand.self, StatsCommand.self, SQLCommand.self, TodayCommand.self,
            HighlightsCommand.self, RingsCommand.self, EnergyCommand.self, SleepCommand.self, WorkoutsCommand.self,
            GapsCommand.self, CyclesCommand.self, ChangesCommand.self, WatchCommand.self, AddCommand.self,
            DeleteCommand.self,
            ProfileCommand.self, AuthorizeCommand.self, BackgroundCommand.self, DaemonCommand.self,
            GenerateCommand.self, DoctorCommand.self, ServeCommand.self, PersonCommand.self, TokenCommand.self,
            CohortCommand.self, SyncCommand.self, MCPCommand.self, DatabaseCommand.self, CopyCommand.self,
            RedactCommand.self,
            BackupCommand.self, RestoreCommand.self, KeyCommand.self,
        ])

    @Flag(name: .long, help: "Use a fictional person in place of the store; nothing is stored.")
    var demo = false

    func validate() throws {
        if demo { DemoStore.want() }
    }
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

/// The privacy of files and of the memory of a crashed process, which could contain health data.
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
