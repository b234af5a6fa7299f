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
        let account = DeletionTable(counts: found.counts, total: found.total)
        if !options.json { print(found.counts.isEmpty ? "No samples found.\n" : account.text, terminator: "") }
        let isConfirmed = try found.counts.isEmpty || dryRun || yes || DeletionTable.confirm(found.total)
        if isConfirmed, !dryRun, !found.counts.isEmpty { try engine.delete(found.uuids, as: .person) }
        if options.json {
            try JSONOutput.print(account.answer(deleted: isConfirmed && !dryRun ? found.total : 0))
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
}
