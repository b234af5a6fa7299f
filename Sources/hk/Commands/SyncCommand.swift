import ArgumentParser
import Foundation
import HealthKit
import HealthSync

/// `hk sync`: sends the contents of the store to a server, as an iPhone does with HealthSync.
struct SyncCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sync", abstract: "Send the store’s data to a server, and keep the server up to date.",
        discussion: """
            Sends samples, workouts with their routes, recordings, deletions and activity summaries in batches. The next \
            run continues where the server’s last acknowledgement was; the state is kept beside the store. Running it \
            again never stores anything twice.

            The server’s owner makes the token with “hk token add NAME --sync”. It can also be in $HK_SYNC_TOKEN, which \
            other users of this machine can’t see.

              hk sync http://127.0.0.1:8080 --token TOKEN
              hk sync https://health.example.com --person alice --follow
            """)

    @Argument(help: "The address of the server.")
    var url: String

    @Option(name: .long, help: "The person whose store receives the data.")
    var person = "me"

    @Option(name: .long, help: "The token (default: $HK_SYNC_TOKEN).")
    var token: String?

    @Option(name: .long, help: "The name of this device, as the server lists it (default: the host’s name).")
    var name: String?

    @Flag(help: "End when everything has been sent, or keep sending changes.")
    var duration: SyncDuration = .once

    @Option(name: .long, help: "The file that stores the state (default: beside the store).", completion: .file())
    var state: String?

    @Option(name: .long, help: ArgumentHelp("The attempts to reach the server.", visibility: .hidden))
    var attempts = 6

    @Option(name: .long, help: ArgumentHelp("The number of samples to read at once.", visibility: .hidden))
    var pageSize = 1_000

    @OptionGroup var options: StoreOptions

    func validate() throws {
        guard attempts > 0, pageSize > 0 else { throw ValidationError("--attempts and --page-size must be positive.") }
    }

    func run() async throws {
        guard let address = URL(string: url), let scheme = address.scheme?.lowercased(), address.host != nil,
            scheme == "http" || scheme == "https"
        else { throw UsageError("“\(url)” is not the address of a server. Use a form like http://127.0.0.1:8080.") }
        let given = token ?? ProcessInfo.processInfo.environment["HK_SYNC_TOKEN"]
        let server = SyncServer(url: address, person: person, token: given)
        let (results, continuation) = AsyncStream.makeStream(of: Result<SyncReport, any Error>.self)
        let isFollowing = duration == .follow
        let sync = HealthStoreSync(
            store: try options.openStore(), types: SyncTypes.all.union(SyncTypes.clinical), server: server,
            progress: FileSyncProgressStore(url: URL(fileURLWithPath: try state ?? statePath(server))),
            options: HealthStoreSync.Options(
                deviceName: name ?? ProcessInfo.processInfo.hostName, pageSize: pageSize,
                retry: SyncRetryPolicy(maximumAttempts: isFollowing ? nil : attempts),
                onPass: { continuation.yield($0) }))
        guard isFollowing else {
            try report(await sync.sync(), isLast: true)
            return
        }
        if Terminal.error.isTerminal { Terminal.printError("Syncing with \(url). Press Control-C to stop.\n") }
        await sync.startObserving()
        for await result in results {
            switch result {
            case .success(let found): try report(found, isLast: false)
            case .failure(let error):
                // What the server refuses once, it refuses again.
                if let error = error as? SyncError, error.kind != .unreachable { throw error }
                Terminal.printError("\(ErrorSentence.text(error))\n")
            }
        }
    }

    /// The file that stores the state of one server and person.
    private func statePath(_ server: SyncServer) throws -> String {
        try options.auxiliaryFilePath("sync-\(StoreOptions.hash("\(server.url.absoluteString) \(server.person)"))")
    }

    private struct Answer: Encodable {
        var samples: Int
        var deletions: Int
        var batches: Int
        var rejected: Int
        var restarts: Int
    }

    private func report(_ report: SyncReport, isLast: Bool) throws {
        guard isLast || report.batches > 0 else { return }
        if options.json {
            try JSONOutput.print(
                Answer(
                    samples: report.samples, deletions: report.deletions, batches: report.batches,
                    rejected: report.rejected.count, restarts: report.restarts))
        } else if report.batches == 0 {
            print("Nothing has changed since the server’s last acknowledgement.")
        } else {
            func count(_ number: Int, _ noun: String, _ plural: String) -> String {
                "\(NumberOutput.grouped(number)) \(number == 1 ? noun : plural)"
            }
            print(
                "Sent \(count(report.samples, "sample", "samples")) and \(count(report.deletions, "deletion", "deletions"))"
                    + " in \(count(report.batches, "batch", "batches")).")
        }
        for reason in Set(report.rejected.map(\.reason)).sorted() {
            let number = report.rejected.count { $0.reason == reason }
            Terminal.printError("The server can’t store \(number == 1 ? "a sample" : "\(number) samples"): \(reason)\n")
        }
        if report.lacksActivitySummaries {
            Terminal.printError(
                "Activity summaries were left out: there would be too many days of them. Look for a sample that lasts for centuries.\n"
            )
        }
        // Readers of a pipe get every pass at once.
        try StandardOutput.flush()
    }
}

/// Whether `hk sync` ends.
enum SyncDuration: String, EnumerableFlag {
    case once
    case follow
}
