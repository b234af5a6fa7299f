import ArgumentParser
import Foundation
import HealthBackup
import HealthEngine
import HealthModel
import HealthImport
import HealthStorage
import HealthStorageSQLite

/// `hk doctor`: checks the store for damage.
struct DoctorCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "doctor", abstract: "Check every page, link and number in the store.",
        discussion: """
            Reads everything and changes nothing. The exit status is 1 if a problem is found.

            With --repair, everything that can be recovered from a damaged store is written to a new one, and what \
            can’t be is listed. The damaged store is kept beside it. If there is a backup, restore that instead: it is \
            more complete.
            """)

    @Flag(name: .long, help: "Repair a damaged store. No program may have it open.")
    var repair = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var store: String
        var bytes: Int
        var samples: Int?
        var bytesPerSample: Double?
        var access: String?
        var key: String?
        var findings: [String]
    }

    func run() throws {
        try options.expectStore()
        if repair, options.isDatabase {
            throw UsageError("A database is repaired with its own tools. Restore a backup made with pg_dump.")
        }
        var findings: [String]
        var samples: Int?
        do {
            let engine = try options.openEngine()
            // A store that is repaired may not be open.
            defer { try? engine.close() }
            findings = check(engine)
            // A damaged store may not be able to count.
            samples = try? engine.typeOverview(as: .person).reduce(0) { $0 + $1.count }
            if samples == nil, findings.isEmpty { findings = ["The samples can’t be counted."] }
        } catch let error as StorageError where error.kind == .damaged {
            // The storage may open where the engine doesn't, and knows all damaged pages.
            let pages = options.isDatabase ? nil : try? SQLiteStorage(path: options.path).findDamage()
            findings = pages.flatMap { $0.isEmpty ? nil : $0 } ?? [error.description]
        }
        let bytes =
            options.isDatabase
            ? 0
            : ["", "-wal"].reduce(0) { total, suffix in
                let attributes = try? FileManager.default.attributesOfItem(atPath: file + suffix)
                return total + ((attributes?[.size] as? NSNumber)?.intValue ?? 0)
            }
        let answer = Answer(
            store: options.name, bytes: bytes, samples: samples,
            bytesPerSample: samples.flatMap { $0 > 0 && bytes > 0 ? Double(bytes) / Double($0) : nil },
            access: access(), key: options.isDatabase ? nil : try? SQLiteStorage.encryptionCounter(of: file)?.advice,
            findings: findings)
        if options.json {
            try JSONOutput.print(answer)
        } else {
            print("store    \(answer.store)")
            if !options.isDatabase { print("size     \(NumberOutput.text(Double(bytes) / 1_048_576, digits: 1)) MiB") }
            print("samples  \(samples.map(NumberOutput.grouped) ?? "–")")
            if let bytesPerSample = answer.bytesPerSample {
                print("average  \(NumberOutput.text(bytesPerSample, digits: 1)) bytes")
            }
            if let access = answer.access { print("access   \(access)") }
            if let key = answer.key { print("key      \(key)") }
            findings.forEach { print("\(Terminal.output.styled("problem", .red))  \($0)") }
            if findings.isEmpty { print(Terminal.output.styled("No problems found.", .green)) }
        }
        guard !findings.isEmpty else { return }
        guard repair else { throw ExitCode.failure }
        try repairStore()
    }

    /// The store's file, which a symbolic link can lead to. The log is beside the file.
    private var file: String { SQLiteStorage.pathOfFile(at: options.path) }

    /// Who else can open the store. It isn't a problem, as its owner may want that, and `hk` doesn't change it.
    private func access() -> String? {
        guard !options.isDatabase, let attributes = try? FileManager.default.attributesOfItem(atPath: file),
            let mode = (attributes[.posixPermissions] as? NSNumber)?.intValue, mode & 0o077 != 0
        else { return nil }
        return "Other users can open the store. If they must not, use “chmod 600”."
    }

    private struct Repaired: Encodable {
        var samples: Int
        var objects: Int
        var deletions: Int
        var losses: [String]
        var previous: String
    }

    private func repairStore() throws {
        let report = try StoreRepair.repair(options.path, now: { CurrentTime.now })
        if options.json {
            try JSONOutput.print(
                Repaired(
                    samples: report.samples, objects: report.objects, deletions: report.deletions,
                    losses: report.losses,
                    previous: report.damagedPath))
        } else {
            print(
                "Kept \(NumberOutput.grouped(report.samples)) samples, \(NumberOutput.grouped(report.objects)) other objects and "
                    + "\(NumberOutput.grouped(report.deletions)) deletions.")
            report.losses.forEach { print("\(Terminal.output.styled("lost", .red))  \($0)") }
            print("The damaged store is \(report.damagedPath).")
        }
    }

    /// The problems found, from the file up. A part that can't be read at all is itself a finding.
    private func check(_ engine: HealthEngine) -> [String] {
        let checks: [() throws -> [String]] = [
            { try engine.storage.findDamage() }, { try engine.check() },
            {
                _ = try engine.profile.read()
                _ = try engine.authorization.applications()
                return []
            },
        ]
        var findings: [String] = []
        for check in checks {
            do {
                findings += try check()
            } catch {
                findings.append((error as? StorageError)?.description ?? ErrorSentence.text(error))
            }
        }
        // Two checks can find the same damage.
        var seen: Set<String> = []
        return findings.filter { seen.insert($0).inserted }
    }
}
