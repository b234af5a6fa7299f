import AppleHealthExport
import ArgumentParser
import Foundation
import HealthAnswers
import HealthEngine
import HealthImport
import HealthModel

/// `hk imports`: the last imports into a store, and taking one back.
struct ImportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imports", abstract: "List the last imports, or undo one.",
        discussion: """
            Shows what each import added, by this command line or a server. The last 100 are kept. “undo” \
            deletes what an import added, after showing how many samples of which types and sources that is. What it \
            found in the store stays, also what the person has entered since. What it replaced by something newer \
            doesn’t come back, and characteristics stay. The same file can be imported again.

              hk imports
              hk imports --json
              hk imports undo 3 --dry-run
              hk imports undo 3
            """)

    @Argument(help: "undo, to take an import back.")
    var action: String?

    @Argument(help: "The number of the import in the list.")
    var number: Int?

    @Flag(name: .long, help: "Undo without asking.")
    var yes = false

    @Flag(name: .long, help: "Only show what undo would delete.")
    var dryRun = false

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var number: Int
        var date: String
        var file: String
        var added: Int?
        var alreadyThere: Int?
        var removed: Int?
        var skipped: Int?
        var error: String?

        init(_ number: Int, _ record: ImportRecord, date: String) {
            (self.number, self.date) = (number, date)
            file = record.file
            added = record.report?.addedCount
            alreadyThere = record.report?.alreadyThereCount
            removed = record.report?.removedCount
            skipped = record.report?.skippedCount
            error = record.failure
        }
    }

    func validate() throws {
        if let action, action != "undo" {
            throw ValidationError("“\(action)” is not an action. Use hk imports undo NUMBER.")
        }
        if action != nil, number == nil {
            throw ValidationError("Which one? hk imports undo NUMBER, as hk imports lists it.")
        }
        if action == nil, yes || dryRun { throw ValidationError("--yes and --dry-run are for undo.") }
    }

    func run() throws {
        if let number { return try undo(number) }
        let records = try options.engine().imports.records()
        let dates = DateOutput(calendar: RangeOptions.machineCalendar)
        func ended(_ record: ImportRecord) -> Date { Date(timeIntervalSinceReferenceDate: record.date) }
        guard !options.json else {
            return try JSONOutput.print(
                records.map { Answer($0.number, $0.record, date: dates.iso(ended($0.record))) })
        }
        guard !records.isEmpty else { return print("Nothing was imported yet. Use “hk import export.zip”.") }
        var table = Table([
            .number("#"), "date", "file", .number("added"), .number("already there"), .number("removed"),
            .number("skipped"),
        ])
        for (number, record) in records {
            let report = record.report
            let counts = [report?.addedCount, report?.alreadyThereCount, report?.removedCount, report?.skippedCount]
            table.add(
                ["\(number)", dates.minute(ended(record)), record.file]
                    + counts.map { $0.map(NumberOutput.grouped) ?? "failed" })
        }
        print(table.text(), terminator: "")
    }

    /// Undoes an import after showing what it added.
    private func undo(_ number: Int) throws {
        let engine = try options.engine()
        guard let record = try engine.imports.records().first(where: { $0.number == number })?.record else {
            throw NotFoundError("Import \(number) not found. Nothing was deleted.")
        }
        let contents = try engine.contents(ofImport: number)
        let account = DeletionTable(counts: contents.counts, total: contents.total)
        if !options.json {
            print(contents.total == 0 ? "Nothing of “\(record.file)” is left.\n" : account.text, terminator: "")
        }
        let isConfirmed = try dryRun || yes || contents.total == 0 || DeletionTable.confirm(contents.total)
        let deleted = try isConfirmed && !dryRun ? engine.undoImport(number) : 0
        if options.json {
            try JSONOutput.print(account.answer(deleted: deleted))
        } else if !isConfirmed || dryRun {
            print("Nothing was deleted.")
        } else {
            print("Undid the import of “\(record.file)”: deleted \(NumberOutput.grouped(deleted)).")
            if let given = record.report?.characteristicsAdded, !given.isEmpty {
                print("The profile keeps what it had: \(given.sorted().joined(separator: ", ")). Use “hk profile”.")
            }
        }
        if !isConfirmed { throw ExitCode.failure }
    }
}
