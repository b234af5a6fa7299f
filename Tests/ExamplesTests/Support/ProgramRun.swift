import Foundation

/// Runs one of the example programs as its user would.
struct ProgramRun {
    /// Where the built programs are: beside the test bundle.
    static let folder: URL = {
        var url = URL(fileURLWithPath: CommandLine.arguments[0]).resolvingSymlinksInPath().deletingLastPathComponent()
        // Test bundles may sit in a folder of their own.
        while !FileManager.default.fileExists(atPath: url.appendingPathComponent("EnergyView").path), url.path != "/" {
            url.deleteLastPathComponent()
        }
        return url
    }()

    /// A time zone in which it is around noon now, so that “today” does not end during a test.
    static let timeZone: String = {
        let hour = Calendar.utc.component(.hour, from: Date())
        // Signs of these zones are the other way round: Etc/GMT-3 is three hours ahead.
        return "Etc/GMT\(hour - 12 >= 0 ? "+" : "-")\(abs(hour - 12))"
    }()

    let output: String
    let errors: String
    let status: Int32

    /// Runs a program over a store and waits for its end.
    init(_ program: String, _ arguments: [String] = [], store: URL) throws {
        let process = try Self.process(program, arguments, store: store)
        let (out, err) = (Pipe(), Pipe())
        process.standardOutput = out
        process.standardError = err
        process.standardInput = FileHandle.nullDevice
        try process.run()
        // Errors are a few lines: their pipe does not fill up while the output is read.
        output = String(decoding: out.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        errors = String(decoding: err.fileHandleForReading.readDataToEndOfFile(), as: UTF8.self)
        process.waitUntilExit()
        status = process.terminationStatus
    }

    /// A program ready to run, with every request granted.
    static func process(_ program: String, _ arguments: [String], store: URL) throws -> Process {
        let process = Process()
        process.executableURL = folder.appendingPathComponent(program)
        process.arguments = arguments
        process.environment = ProcessInfo.processInfo.environment.merging([
            "HEALTHKIT_STORE": store.path, "HEALTHKIT_AUTHORIZATION": "allow", "TZ": timeZone, "HEALTHKIT_NOW": "",
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

    /// The calendar of the programs.
    static let noon: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: ProgramRun.timeZone) ?? .gmt
        return calendar
    }()
}
