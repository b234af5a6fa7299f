import ArgumentParser
import Foundation
import HealthServer

/// `hk mcp`: lets an assistant ask about the store, over standard input and output.
struct MCPCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "mcp", abstract: "Let an assistant ask about the store (Model Context Protocol).",
        discussion: """
            Speaks the Model Context Protocol over standard input and output, for assistants that start their tools \
            themselves. The tools list types and return samples, statistics, trends, sleep, rings, energy and workouts, and run \
            SQL. They only read, unless --allow-writes adds one that saves samples. A running server has the same at /mcp.

              hk mcp
              hk mcp --data /var/lib/openhealthkit --person anna
            """)

    @OptionGroup var stores: ServedStores

    @Option(name: .long, help: "The person, with --data.")
    var person: String?

    @Flag(name: .long, help: "Add a tool that saves samples.")
    var allowWrites = false

    @Option(name: .long, help: "The time zone of people without one (default: the system’s).")
    var timeZone: String?

    func validate() throws {
        try TimeZoneArgument.validate(timeZone)
        if stores.data != nil, person == nil { throw ValidationError("--data needs --person.") }
        if stores.data == nil, person != nil { throw ValidationError("--person needs --data.") }
    }

    func run() async throws {
        ProcessPrivacy.restrictDumps()
        try stores.checkKey()
        var configuration = AppConfiguration(location: stores.location)
        if let timeZone = timeZone.flatMap({ TimeZone(identifier: $0) }) { configuration.timeZone = timeZone }
        if CurrentTime.isGiven { configuration.now = { CurrentTime.now } }
        let assistant = try HealthAssistant(
            configuration, person: person ?? StoreLocation.onlyPerson, allowsWriting: allowWrites)
        for await line in Self.lines() {
            guard let answer = await assistant.answer(line) else { continue }
            try StandardOutput.send(Array(answer) + [0x0A])
            try StandardOutput.flush()
        }
        await assistant.close()
    }

    /// The lines of standard input, read on a dedicated thread, because reading waits.
    private static func lines() -> AsyncStream<Data> {
        AsyncStream { continuation in
            Thread.detachNewThread {
                while let line = readLine(strippingNewline: true) {
                    if !line.isEmpty { continuation.yield(Data(line.utf8)) }
                }
                continuation.finish()
            }
        }
    }
}
