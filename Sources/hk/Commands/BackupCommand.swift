import ArgumentParser
import Foundation
import HealthBackup
import HealthDaemon
import HealthEngine

/// `hk backup`: backs up the store to a folder.
struct BackupCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "backup", abstract: "Back up the store to a folder, while other programs use it.",
        discussion: """
            A backup is a snapshot of the store and of the files beside it. Only what has changed since earlier \
            backups is written. An interrupted backup leaves the earlier ones intact; start it again. The folder is \
            readable by its owner only.

              hk backup /media/disk/health
              hk backup /media/disk/health --verify --keep 30
              hk backup /media/disk/health --list
            """)

    @Argument(help: "The folder, created if necessary. It holds the backups of one store.", completion: .directory)
    var folder: String

    @Flag(name: .long, help: "Read every chunk of all backups again.")
    var verify = false

    @Option(name: .long, help: "Keep the newest N backups and remove the others.")
    var keep: Int?

    @Flag(name: .long, help: "List the backups instead of making one.")
    var list = false

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if let keep, keep < 1 { throw ValidationError("--keep must be at least 1.") }
        if list, verify || keep != nil { throw ValidationError("--list can’t be combined with --verify or --keep.") }
    }

    private struct Item: Encodable {
        var name: String
        var created: String?
        var bytes: Int?
        var isDamaged: Bool?

        init(_ manifest: BackupManifest) {
            name = manifest.name
            created = manifest.created.ISO8601Format()
            bytes = manifest.size
        }

        init(damaged name: String) {
            self.name = name
            isDamaged = true
        }
    }

    private struct Answer: Encodable {
        var backup: Item
        var newBytes: Int
        var removed: Int
        var findings: [String]
    }

    func run() throws {
        let backups = BackupFolder(path: folder, now: { CurrentTime.now })
        if list { return try show(backups.backups()) }
        guard !options.isDatabase else {
            throw UsageError(
                "A database isn’t backed up to a folder. Use pg_dump for all of it, or “hk copy” to copy a person’s store to a file."
            )
        }
        try options.expectStore()
        let engine = try options.openEngine()
        let report = try backups.backUp(engine.storage, options: BackupOptions(keep: keep))
        try engine.close()
        let unreadable = report.unreadable.map {
            "The manifest of the backup \($0) is damaged. No backup is removed while it is there."
        }
        let findings = try report.damage + unreadable + (verify ? backups.verify() : [])
        if options.json {
            try JSONOutput.print(
                Answer(
                    backup: Item(report.manifest), newBytes: report.newBytes, removed: report.pruned, findings: findings
                ))
        } else {
            print(
                "Backup \(report.manifest.name): \(Self.size(report.manifest.size)), of which "
                    + "\(report.newBytes == 0 ? "nothing" : Self.size(report.newBytes)) had changed.")
            if report.pruned > 0 {
                print("Removed \(report.pruned) older \(report.pruned == 1 ? "backup" : "backups").")
            }
            findings.forEach { print("\(Terminal.output.styled("problem", .red))  \($0)") }
            if verify, findings.isEmpty { print(Terminal.output.styled("All backups are sound.", .green)) }
        }
        if !findings.isEmpty { throw ExitCode.failure }
    }

    /// Prints all backups, also those whose manifests can't be read.
    private func show(_ backups: (readable: [BackupManifest], unreadable: [String])) throws {
        let items = (backups.readable.map(Item.init) + backups.unreadable.map(Item.init(damaged:))).sorted {
            $0.name < $1.name
        }
        if options.json {
            try JSONOutput.print(items)
        } else {
            for item in items { print("\(item.name)  \(item.bytes.map(Self.size) ?? "damaged")") }
        }
        if !backups.unreadable.isEmpty { throw ExitCode.failure }
    }

    private static func size(_ bytes: Int) -> String {
        bytes < 1_048_576
            ? "\(NumberOutput.text(Double(bytes) / 1_024, digits: 0)) KiB"
            : "\(NumberOutput.text(Double(bytes) / 1_048_576, digits: 1)) MiB"
    }
}

/// `hk restore`: restores a backup.
struct RestoreCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "restore", abstract: "Restore the store from a folder of backups.",
        discussion: """
            The store is the same as before: UUIDs, permissions and settings are kept, and anchors that applications have \
            stored work with it. It is checked before it takes its place. With --replace, an existing store is \
            renamed. Existing tokens of a server are preserved.

              hk restore /media/disk/health
              hk restore /media/disk/health --backup 2025-11-16T170000Z --store old.sqlite
            """)

    @Argument(help: "The folder with the backups.", completion: .directory)
    var folder: String

    @Option(name: .long, help: "The name of the backup (default: the newest).")
    var backup: String?

    @Flag(name: .long, help: "Replace a store that is there. No program may have it open.")
    var replace = false

    @Flag(
        name: .long,
        help: "Restore a store that was damaged when the backup was made, too. Repair it with “hk doctor --repair”.")
    var damaged = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var backup: String
        var store: String
        var previous: String?
        var damage: [String]?
        var restoredTokens: Int?
        var unconfirmed: [String]?
    }

    /// The applications of the restored store whose programs and webhooks aren't reached before they are confirmed. A
    /// store that can't be opened as it is reaches none.
    private var unconfirmed: [String] {
        guard let engine = try? options.openEngine() else { return [] }
        defer { try? engine.close() }
        guard let targets = try? engine.targets, let applications = try? engine.backgroundDelivery.applications() else {
            return []
        }
        return applications.filter { name, application in
            application.target.map { !targets.contains($0, of: name) } ?? false
        }.keys.sorted()
    }

    func run() throws {
        guard !options.isDatabase else {
            throw UsageError("A backup is restored to a file. Copy that into the database with “hk copy”.")
        }
        let backups = BackupFolder(path: folder, now: { CurrentTime.now })
        if !replace, FileManager.default.fileExists(atPath: options.path) {
            throw UsageError("There is a store at “\(options.path)”. Use --replace to put the backup in its place.")
        }
        let report = try backups.restore(backup, to: options.path, replacing: replace, allowingDamage: damaged)
        let unconfirmed = unconfirmed
        if options.json {
            try JSONOutput.print(
                Answer(
                    backup: report.manifest.name, store: options.path, previous: report.previous,
                    damage: report.damage.isEmpty ? nil : report.damage,
                    restoredTokens: report.restoredTokens > 0 ? report.restoredTokens : nil,
                    unconfirmed: unconfirmed.isEmpty ? nil : unconfirmed))
        } else {
            print("Restored the backup \(report.manifest.name) to \(options.path).")
            if let previous = report.previous { print("The previous store is \(previous).") }
            if report.isNewlyEncrypted {
                print("It is encrypted with the key of the previous store; the backup isn’t encrypted.")
            }
            if report.restoredTokens > 0 {
                let tokens = report.restoredTokens == 1 ? "1 token" : "\(report.restoredTokens) tokens"
                print(
                    "Restored \(tokens) of the server. Any that was revoked since the backup is valid again; see “hk token list”."
                )
            }
            for name in unconfirmed {
                print(
                    "What \(name) registered elsewhere is not started here. Look at it with “hk background”, and confirm it with “hk background confirm \(name)”."
                )
            }
            if let first = report.damage.first {
                print(
                    "It is damaged, as it was when the backup was made: \(first) Repair it with “hk doctor --repair”.")
            }
        }
    }
}
