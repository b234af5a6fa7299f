import AppleHealthExport
import ArgumentParser
import Foundation
import HealthEngine

/// `hk imports`: the last imports into a store.
struct ImportsCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "imports", abstract: "List the last imports.",
        discussion: """
            Shows what each import added, by this command line or a server. The last 100 are kept.

              hk imports
              hk imports --json
            """)

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var date: String
        var file: String
        var added: Int?
        var alreadyThere: Int?
        var removed: Int?
        var skipped: Int?
        var error: String?

        init(_ record: ImportRecord, date: String) {
            self.date = date
            file = record.file
            added = record.report?.addedCount
            alreadyThere = record.report?.alreadyThereCount
            removed = record.report?.removedCount
            skipped = record.report?.skippedCount
            error = record.failure
        }
    }

    func run() throws {
        let records = try options.engine().imports.records()
        let dates = DateOutput(calendar: RangeOptions.machineCalendar)
        func ended(_ record: ImportRecord) -> Date { Date(timeIntervalSinceReferenceDate: record.date) }
        guard !options.json else {
            return try JSONOutput.print(records.map { Answer($0, date: dates.iso(ended($0))) })
        }
        guard !records.isEmpty else { return print("Nothing was imported yet. Use “hk import export.zip”.") }
        var table = Table([
            "date", "file", .number("added"), .number("already there"), .number("removed"), .number("skipped"),
        ])
        for record in records {
            let report = record.report
            let counts = [report?.addedCount, report?.alreadyThereCount, report?.removedCount, report?.skippedCount]
            table.add(
                [dates.minute(ended(record)), record.file]
                    + counts.map { $0.map(NumberOutput.grouped) ?? "failed" })
        }
        print(table.text(), terminator: "")
    }
}
