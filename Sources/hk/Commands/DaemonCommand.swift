import ArgumentParser
import Foundation
import HealthDaemon
import HealthEngine

/// `hk daemon`: delivers changes to applications that don't run.
struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Start programs and call webhooks when data arrives that they registered for.",
        discussion: """
            “hk background” shows and changes who is reached, and how. A delivery is repeated until it is acknowledged, \
            wherever the daemon, the program or the webhook failed. One daemon runs per store. What a program prints is \
            kept beside the store, for its owner only.

              hk daemon
              hk daemon --once
              systemctl --user enable --now hk-daemon
            """)

    @Flag(name: .long, help: "Deliver what is due, and exit when it is acknowledged or has failed.")
    var once = false

    @Option(name: .long, help: "The seconds that a program has to acknowledge a delivery.")
    var timeLimit: Double = 300

    @Option(name: .long, help: "The seconds that a webhook has to answer.")
    var webhookTimeLimit: Double = 30

    @Option(name: .long, help: "The seconds to wait after a change for more.")
    var delay: Double = 2

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard timeLimit > 0, webhookTimeLimit > 0, delay >= 0 else {
            throw ValidationError("--time-limit, --webhook-time-limit and --delay must be positive.")
        }
    }

    func run() async throws {
        // Programs may create the store later.
        let engine = try options.openEngine(
            creating: true,
            configuration: EngineConfiguration(now: {
                (CurrentTime.isGiven ? CurrentTime.now : Date()).timeIntervalSinceReferenceDate
            }))
        let lock = try DaemonLock(path: options.companionPath("daemon-lock"))
        let path = options.isDatabase ? options.path : URL(fileURLWithPath: options.path).standardizedFileURL.path
        var settings = DeliveryDaemon.Options(store: path) { [options] application in
            try options.companionPath("background-\(StoreOptions.hash(application)).log")
        }
        settings.programTimeLimit = timeLimit
        settings.webhookTimeLimit = webhookTimeLimit
        settings.delay = delay
        settings.report = { [json = options.json] in Self.report($0, json: json) }
        let daemon = DeliveryDaemon(engine: engine, options: settings)
        if Terminal.error.isTerminal, !once { Terminal.printError("Delivering changes. Press Control-C to stop.\n") }
        if once { try await daemon.runOnce() } else { try await daemon.run() }
        try engine.close()
        _ = consume lock
    }

    /// Prints one line, without health data.
    private static func report(_ event: DeliveryEvent, json: Bool) {
        if json {
            guard let line = try? JSONOutput.text(event) else { return }
            print(line)
        } else {
            let application = event.application.map { "\($0): " } ?? ""
            print("\(application)\(words(event)).")
        }
        fflush(nil)
    }

    private static func words(_ event: DeliveryEvent) -> String {
        let attempt = event.attempt.map { " (attempt \($0))" } ?? ""
        let reason = event.reason ?? ""
        return switch event.kind {
        case .started: "delivery started\(attempt)"
        case .alreadyRunning: "runs already, and is expected to acknowledge\(attempt)"
        case .acknowledged: "delivery acknowledged\(attempt)"
        case .missed: "delivery failed\(attempt). \(reason)"
        case .interrupted: "delivery interrupted\(attempt)\(reason.isEmpty ? "" : ". \(reason)")"
        case .ended: "ended \(reason)"
        case .storeFailed: "The store can’t be used now: \(reason)"
        }
    }
}
