import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthModel
import HealthImport

/// `hk delete`: deletes samples by type and range, source or UUID.
struct DeleteCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "delete", abstract: "Delete samples.",
        discussion: """
            Shows how many samples of which types and sources would be deleted, and asks. The range is that of “hk \
            samples”. The values of a blood pressure or a meal are deleted with it; those recorded during a workout \
            stay. Other programs are notified of the deletions. An archive that contains the samples adds them again \
            when it is imported.

              hk delete stepCount --from 2024-05-17 --to 2024-05-17
              hk delete heartRate sleep --source "Old Watch" --dry-run
              hk delete --uuid 0E3A5B0C-6C5E-4D0A-9F4C-1B1B6F0A7C11
            """)

    @Argument(help: "The data types (default: all).", completion: TypeCompletion.name)
    var types: [String] = []

    @Option(name: .long, help: "Delete only samples of this source: its name or bundle identifier. Can be repeated.")
    var source: [String] = []

    @Option(name: .long, help: "Delete only the sample with this UUID. Can be repeated.")
    var uuid: [String] = []

    @Flag(name: .long, help: "Delete without asking.")
    var yes = false

    @Flag(name: .long, help: "Only show what would be deleted.")
    var dryRun = false

    @OptionGroup var range: RangeOptions

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        struct Part: Encodable {
            var type: String
            var source: String
            var count: Int
        }

        var deleted: Int
        var samples: [Part]
    }

    func validate() throws {
        if types.isEmpty, source.isEmpty, uuid.isEmpty {
            throw ValidationError("Name what to delete: data types, --source or --uuid.")
        }
        if let wrong = uuid.first(where: { UUID(uuidString: $0) == nil }) {
            throw ValidationError("--uuid: “\(wrong)” is not a UUID.")
        }
    }

    func run() throws {
        let engine = try options.engine()
        let found = try DeletionAccount(matching(in: engine), in: engine, as: .person)
        let missing = Set(uuid.compactMap { UUID(uuidString: $0) }).subtracting(found.uuids)
        if let missing = missing.first {
            throw NotFoundError(
                "None of the samples asked for has the UUID \(missing.uuidString). Nothing was deleted.")
        }
        if !options.json { print(found.counts.isEmpty ? "No samples found.\n" : found.table, terminator: "") }
        let isConfirmed = try found.counts.isEmpty || dryRun || yes || confirm(found.total)
        if isConfirmed, !dryRun, !found.counts.isEmpty { try engine.delete(found.uuids, as: .person) }
        if options.json {
            let parts = found.counts.map { Answer.Part(type: $0.type.identifier, source: $0.source, count: $0.count) }
            try JSONOutput.print(Answer(deleted: isConfirmed && !dryRun ? found.total : 0, samples: parts))
        } else if !found.counts.isEmpty {
            print(dryRun || !isConfirmed ? "Nothing was deleted." : "Deleted \(NumberOutput.grouped(found.total)).")
        }
        if !isConfirmed { throw ExitCode.failure }
    }

    /// The parts of a request that the options select.
    private func matching(in engine: HealthEngine) throws -> [SampleRequest.Part] {
        let dictionaries = try engine.dictionaries()
        let types =
            try self.types.isEmpty
            ? engine.typeOverview(as: .person).map(\.type)
            : self.types.map { try TypeName.resolveSampled($0, dictionaries: dictionaries) }
        var filters = try range.filters(now: CurrentTime.now, calendar: range.calendar(options))
        if !source.isEmpty {
            let sources = dictionaries.revisions.map(\.source)
            let identifiers = try source.flatMap {
                try SourceOptions.identifiers($0, among: sources, of: "this store")
            }
            filters.append(.source(Set(identifiers)))
        }
        if !uuid.isEmpty { filters.append(.uuid(Set(uuid.compactMap { UUID(uuidString: $0) }))) }
        return Set(types.map(\.code)).sorted().map { .init(type: $0, filter: .and(filters)) }
    }

    /// Asks whether to delete this many samples.
    ///
    /// - Throws: ``UsageError`` if nobody can be asked.
    private func confirm(_ count: Int) throws -> Bool {
        guard Terminal.inputIsTerminal else {
            throw UsageError(
                "Confirmation requires a terminal, so nothing was deleted. Use --yes to delete without confirmation.")
        }
        try StandardOutput.flush()
        Terminal.printError(
            "Delete \(count == 1 ? "this sample" : "these \(NumberOutput.grouped(count)) samples")? (y/N): ")
        return ["y", "yes"].contains(readLine()?.trimmingCharacters(in: .whitespaces).lowercased())
    }
}

extension DeletionAccount {
    fileprivate var table: String {
        var table = Table(["type", "source", .number("samples")])
        for (type, source, count) in counts {
            table.add([TypeName.short(type.identifier), source, NumberOutput.grouped(count)])
        }
        if counts.count > 1 { table.add(["all", "", NumberOutput.grouped(total)]) }
        return table.text()
    }
}
