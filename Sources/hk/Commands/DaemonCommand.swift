import ArgumentParser
import Foundation
import HealthBackup
import HealthDaemon
import HealthEngine

/// `hk daemon`: delivers changes to applications that don't run.
struct DaemonCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "daemon", abstract: "Start programs and call webhooks that registered for new data.",
        discussion: """
            “hk background” shows and changes which programs and webhooks are reached. A delivery is repeated until it \
            is acknowledged, even if the daemon, the program or the webhook fails. One daemon runs per store. The \
            output of a program is kept beside the store, readable by its owner only. With --backup, the daemon backs \
            up the store as well.

              hk daemon
              hk daemon --backup /media/disk/health --backup-every 1d --keep 30
              hk daemon --once
              systemctl --user enable --now hk-daemon
            """)

    @Flag(
        name: .long,
        help:
            "Deliver what is due, and exit when it is acknowledged or has failed; with status 1 if a backup failed or found damage."
    )
    var once = false

    @Option(name: .long, help: "The seconds that a program has to acknowledge a delivery.")
    var timeLimit: Double = 300

    @Option(name: .long, help: "The seconds that a webhook has to answer.")
    var webhookTimeLimit: Double = 30

    @Option(name: .long, help: "The seconds to wait for further changes.")
    var delay: Double = 2

    @Option(name: .long, help: "Back up the store to this folder, too.", completion: .directory)
    var backup: String?

    @Option(name: .long, help: "How often to back up: 12h, 1d, 2w (default: 1d).")
    var backupEvery: String?

    @Option(name: .long, help: "Keep the newest N backups and remove the others.")
    var keep: Int?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if backup == nil, backupEvery != nil || keep != nil {
            throw ValidationError("--backup-every and --keep need --backup.")
        }
        if let keep, keep < 1 { throw ValidationError("--keep must be at least 1.") }
        _ = try backupInterval()
        for (name, seconds) in [("--time-limit", timeLimit), ("--webhook-time-limit", webhookTimeLimit)] {
            guard seconds > 0, seconds <= DeliveryDaemon.Options.longestTime else {
                throw ValidationError("\(name) must be greater than 0 and at most 86400 seconds, a day.")
            }
        }
        guard delay >= 0, delay <= DeliveryDaemon.Options.longestTime else {
            throw ValidationError("--delay must be 0 or more and at most 86400 seconds, a day.")
        }
    }

    func run() async throws {
        ProcessPrivacy.restrictDumps()
        let engine = try options.openEngine(
            configuration: EngineConfiguration(now: {
                (CurrentTime.isGiven ? CurrentTime.now : Date()).timeIntervalSinceReferenceDate
            }))
        let lock = try DaemonLock(path: options.auxiliaryFilePath("daemon-lock"))
        let path = options.isDatabase ? options.path : URL(fileURLWithPath: options.path).standardizedFileURL.path
        var settings = DeliveryDaemon.Options(
            store: path, programsFile: try options.auxiliaryFilePath("daemon-programs"), targets: try engine.targets
        ) { [options] application in
            try options.auxiliaryFilePath("background-\(StoreOptions.hash(application)).log")
        }
        settings.programTimeLimit = timeLimit
        settings.webhookTimeLimit = webhookTimeLimit
        settings.delay = delay
        settings.report = { [json = options.json] in Self.report($0, json: json) }
        settings.onWaiting = { ProcessMemory.releaseCode() }
        let daemon = DeliveryDaemon(engine: engine, options: settings)
        let backups = try backup.map { try schedule($0) }
        let hasFailed = once && backups?.backUpIfDue(engine) == false
        let repeating = once ? nil : backups.map { backups in Task { await backups.run(engine) } }
        if Terminal.error.isTerminal, !once { Terminal.printError("Delivering changes. Press Control-C to stop.\n") }
        if once { try await daemon.runOnce() } else { try await daemon.run() }
        // A backup that is being made is completed before its store is closed.
        repeating?.cancel()
        await repeating?.value
        try engine.close()
        _ = consume lock
        // The backup has said why.
        if hasFailed { throw ExitCode.failure }
    }

    /// The seconds between backups.
    private func backupInterval() throws -> Double {
        let text = backupEvery ?? "1d"
        guard let unit = text.last, let seconds = ["h": 3_600.0, "d": 86_400, "w": 604_800][unit],
            let count = Int(text.dropLast()), (1...1_000).contains(count)
        else { throw ValidationError("“\(text)” isn’t an interval. Use 12h, 1d or 2w.") }
        return Double(count) * seconds
    }

    private func schedule(_ folder: String) throws -> BackupSchedule {
        guard !options.isDatabase else {
            throw UsageError("A database isn’t backed up to a folder. Use pg_dump for all of it.")
        }
        return BackupSchedule(
            folder: BackupFolder(path: folder, now: { CurrentTime.isGiven ? CurrentTime.now : Date() }),
            interval: try backupInterval(), options: BackupOptions(keep: keep), json: options.json)
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
        // Deliveries continue; the command ends with the error.
        try? StandardOutput.flush()
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
        case .withdrawn: "delivery withdrawn\(attempt): it was suspended or unregistered"
        case .unconfirmed:
            "nothing is delivered, because it was registered elsewhere. Look at it with “hk background”, and confirm it with “hk background confirm \(event.application ?? "")”"
        case .ended: reason.isEmpty ? "ended" : "ended \(reason)"
        case .storeFailed: "The store can’t be used now: \(reason)"
        }
    }
}

/// Backs up a store as often as it was asked to, and reports each backup in a line.
private struct BackupSchedule: Sendable {
    let folder: BackupFolder
    /// Seconds.
    let interval: Double
    let options: BackupOptions
    let json: Bool

    private struct Event: Encodable {
        var kind: String
        var backup: String?
        var reason: String?
    }

    /// Looks every minute whether a backup is due, until the task is canceled. One that has failed is tried again.
    func run(_ engine: HealthEngine) async {
        while !Task.isCancelled {
            // On a dedicated thread: a large store takes a while.
            await withCheckedContinuation { continuation in
                Thread.detachNewThread {
                    backUpIfDue(engine)
                    continuation.resume()
                }
            }
            try? await Task.sleep(for: .seconds(60))
        }
    }

    /// Returns whether nothing failed and no damage was found.
    @discardableResult
    func backUpIfDue(_ engine: HealthEngine) -> Bool {
        do {
            guard let report = try folder.backUpIfDue(engine.storage, every: interval, options: options) else {
                return true
            }
            let damage =
                !report.damage.isEmpty
                ? "The store is damaged; see “hk doctor”"
                : !report.unreadable.isEmpty ? "An earlier one is damaged; see “hk backup --list”" : nil
            show(Event(kind: "backedUp", backup: report.manifest.name, reason: damage))
            return damage == nil
        } catch {
            show(Event(kind: "backupFailed", reason: "\(error)"))
            return false
        }
    }

    private func show(_ event: Event) {
        if json {
            guard let line = try? JSONOutput.text(event) else { return }
            print(line)
        } else if let backup = event.backup {
            print("Backup \(backup).\(event.reason.map { " \($0)." } ?? "")")
        } else {
            print("The backup failed: \(event.reason ?? "")")
        }
        // Deliveries continue; the command ends with the error.
        try? StandardOutput.flush()
    }
}

/// The memory of a process that runs for long and mostly waits.
private enum ProcessMemory {
    /// Gives back the pages of the program's code, most of which only the start needed.
    ///
    /// Code isn't written, so nothing is lost: a page that runs again is mapped again, from the system's cache or the
    /// program's file. Does nothing where `/proc` doesn't tell what is mapped.
    static func releaseCode() {
        guard let program = try? FileManager.default.destinationOfSymbolicLink(atPath: "/proc/self/exe"),
            let mappings = try? String(contentsOfFile: "/proc/self/maps", encoding: .utf8)
        else { return }
        for mapping in mappings.split(separator: "\n") where mapping.hasSuffix(program) {
            // Such as “55f0817000-55f3fb3000 r-xp 00b08000 fe:00 1234 /usr/bin/hk”.
            let fields = mapping.split(separator: " ", maxSplits: 2)
            let bounds = fields[0].split(separator: "-").compactMap { UInt($0, radix: 16) }
            guard fields.count == 3, fields[1] == "r-xp", bounds.count == 2, bounds[0] < bounds[1] else { continue }
            madvise(UnsafeMutableRawPointer(bitPattern: bounds[0]), Int(bounds[1] - bounds[0]), MADV_DONTNEED)
        }
    }
}
