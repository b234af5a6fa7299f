import Foundation
import ProcessTestSupport

/// A finished run of an example program, as a user would start it.
struct ProgramRun {
    /// A time zone in which it is around noon now, so that “today” does not end during a test.
    static let timeZone: String = {
        let hour = Calendar.utc.component(.hour, from: Date())
        // The signs of these zones are reversed: Etc/GMT-3 is three hours ahead of GMT.
        return "Etc/GMT\(hour - 12 >= 0 ? "+" : "-")\(abs(hour - 12))"
    }()

    let output: String
    let errors: String
    let status: Int32

    /// Runs a program on a store and waits for it to finish.
    init(_ program: String, _ arguments: [String] = [], store: URL) throws {
        (output, errors, status) = try Self.process(program, arguments, store: store).finish()
        ChildMessages.record(errors, of: arguments)
    }

    /// Returns a process that is ready to run the program, with all permissions granted.
    static func process(_ program: String, _ arguments: [String], store: URL) throws -> Process {
        let process = Process()
        process.executableURL = program == "hk" ? BuiltProgram.hk : BuiltProgram.named(program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HEALTHKIT_STORE": store.path, "HEALTHKIT_AUTHORIZATION": "allow", "TZ": timeZone, "HEALTHKIT_NOW": "",
            // Bytes of memory in the log of a program that traps can look like anything.
            "SWIFT_BACKTRACE": "enable=no",
        ]) { $1 }
        return process
    }

    var lines: [String] { output.split(separator: "\n").map(String.init) }
}

extension Calendar {
    static let utc: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar
    }()

    /// The calendar in the time zone of the programs.
    static let noon: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: ProgramRun.timeZone) ?? .gmt
        return calendar
    }()
}
