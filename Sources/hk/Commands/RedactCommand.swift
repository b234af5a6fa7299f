import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine
import HealthImport
import HealthStorage
import HealthStorageFiles

/// `hk redact FROM TO`: makes a fixture for tests from an own archive or store.
struct RedactCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "redact", abstract: "Copy an archive or a store without what identifies its person.",
        discussion: """
            Makes a fixture for tests. All dates are moved by the same number of whole weeks, so that days of the week \
            and times of day stay. Sources, devices, notes and other texts, metadata keys of apps, and all \
            identifiers are replaced, equal ones by equal ones; routes are moved and turned; of the characteristics \
            only a year of birth is left, which is moved, too. Clinical records, attachments, unknown types, \
            permissions, settings and the history of imports are left out. Values stay as they are, unless --jitter \
            changes them. What was read is not changed.

            The form follows from the name of the copy: .zip, .xml or a folder is an archive, .sqlite a store. Look \
            at the copy before you share it: some of the values may be enough to recognize the person.

              hk redact export.zip fixture.zip
              hk redact health.sqlite fixture.sqlite --jitter 5
            """)

    @Argument(help: "The archive or store: a file, a folder, or an address.", completion: .file())
    var from: String

    @Argument(help: "The copy, which doesn’t exist yet.", completion: .file())
    var to: String

    @Option(
        name: .long,
        help: ArgumentHelp(
            "Change each quantity at random by up to this many percent, 0 to 50.", valueName: "percent"))
    var jitter = 0.0

    @Option(
        name: .long,
        help: "The seed of everything random, for the same copy again (default: a random one). Keep it secret.")
    var seed: UInt64?

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    @OptionGroup var key: KeyOptions

    func validate() throws {
        guard (0...50).contains(jitter) else { throw ValidationError("--jitter must be from 0 to 50.") }
    }

    func run() throws {
        let isStore = ExportFormat.ending(of: to) == "sqlite"
        guard (try? FileManager.default.attributesOfItem(atPath: to)) == nil else {
            throw UsageError("“\(to)” already exists. Nothing was changed; choose another path.")
        }
        let source = try openSource()
        let copy = try Self.engineInMemory()
        let report = try RedactedCopy.run(
            from: source, to: copy,
            options: .init(seed: seed ?? .random(in: .min ... .max), jitter: jitter / 100))
        try source.close()
        if isStore {
            let storage = try CopyCommand.open(to, creating: true)
            _ = try StoreTransfer.copy(from: copy.storage, to: storage)
            try storage.close()
        } else {
            let options = ExportOptions(
                exportDate: report.end ?? Date(timeIntervalSinceReferenceDate: 0), timeZone: .gmt)
            _ = try ArchiveExporter(engine: copy, options: options).run(to: ExportTarget(path: to))
        }
        if json {
            try JSONOutput.print(report)
        } else {
            print(text(report), terminator: "")
        }
    }

    private static func engineInMemory() throws -> HealthEngine {
        try HealthEngine(
            storage: StorageProviders.shared.openInMemory(), configuration: StoreOptions.configuration)
    }

    /// A store as it is, or an archive that was read into memory.
    private func openSource() throws -> HealthEngine {
        if StorageProviders.isAddress(from) || isStoreFile {
            return try HealthEngine(
                storage: CopyCommand.open(from, creating: false), configuration: StoreOptions.configuration)
        }
        let engine = try Self.engineInMemory()
        _ = try ArchiveImporter(engine: engine).run(path: from)
        return engine
    }

    /// Whether the file begins as a store does, also an encrypted one.
    private var isStoreFile: Bool {
        guard let file = FileHandle(forReadingAtPath: from), let head = try? file.read(upToCount: 16) else {
            return false
        }
        return head.elementsEqual("SQLite format 3\0".utf8) || head.elementsEqual(EncryptionHeader.magic)
    }

    private func text(_ report: RedactedCopy.Report) -> String {
        let replaced = [
            (report.sources, "source"), (report.devices, "device"), (report.texts, "text"),
            (report.keys, "metadata key"), (report.identities, "UUID"), (report.routes, "route"),
        ].filter { $0.0 > 0 }.map { NumberOutput.counted($0.0, $0.1) }
        let values = jitter > 0 ? "values, changed by up to \(NumberOutput.text(jitter))%" : "values"
        var lines = [
            "Redacted \(NumberOutput.counted(report.samples, "sample")) and "
                + "\(NumberOutput.counted(report.objects, "other object")) to \(to).",
            "Replaced: all dates, by whole weeks" + replaced.map { ", " + $0 }.joined() + ".",
        ]
        let leftOut = report.leftOut.filter { $0.value > 0 }.sorted { $0.key < $1.key }
        if !leftOut.isEmpty {
            let parts = leftOut.map { "\($0.key) (\(NumberOutput.grouped($0.value)))" }
            lines.append("Left out: \(parts.joined(separator: ", ")).")
        }
        lines.append(
            "Still there: \(values), types, units, times of day and days of the week, durations, and the shapes of routes."
        )
        lines.append("Some of these may be enough to recognize the person. Look at the copy before you share it.")
        return lines.joined(separator: "\n") + "\n"
    }
}
