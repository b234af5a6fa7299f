import ArgumentParser
import Foundation

/// Where the process begins: reads the command line, runs the command, and tells in one sentence what
/// went wrong.
@main
enum Program {
    static func main() async {
        let command: any ParsableCommand
        do {
            command = try HealthCommand.parseAsRoot()
        } catch {
            HealthCommand.exit(withError: error)
        }
        do {
            try Present.check()
            try await run(command)
        } catch let error as ExitCode {
            HealthCommand.exit(withError: error)
        } catch let error as CleanExit {
            HealthCommand.exit(withError: error)
        } catch let error where HealthCommand.exitCode(for: error) == .success {
            // A command without its subcommand throws a request for help.
            HealthCommand.exit(withError: error)
        } catch {
            let prefix = Terminal.error.styled("Error:", .red)
            Terminal.complain("\(prefix) \(ErrorSentence.text(error))\n")
            Foundation.exit(error is UsageError ? ExitCode.validationFailure.rawValue : ExitCode.failure.rawValue)
        }
    }

    private static func run(_ command: any ParsableCommand) async throws {
        if var command = command as? any AsyncParsableCommand {
            try await command.run()
        } else {
            var command = command
            try command.run()
        }
    }
}
