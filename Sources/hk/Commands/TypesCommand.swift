import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk types`: lists the data types in the store.
struct TypesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "List the data types in the store.",
        discussion: "Shows the number of samples of each type, with the first and last day.")

    @OptionGroup var options: StoreOptions

    private struct Answer: Encodable {
        var type: String
        var count: Int
        var startDate: String
        var endDate: String
    }

    func run() throws {
        let engine = try options.openEngine()
        let dates = DateOutput(calendar: RangeOptions.machineCalendar)
        let overviews = try engine.typeOverview(as: .person)
        guard !options.json else {
            try JSONOutput.print(
                overviews.map {
                    let span = span($0, dates.calendar)
                    return Answer(
                        type: $0.type.identifier, count: $0.count, startDate: dates.iso(span.start),
                        endDate: dates.iso(span.end))
                })
            return
        }
        guard !overviews.isEmpty else {
            print("The store is empty. Fill it with “hk import export.zip”.")
            return
        }
        var table = Table([
            .init(title: "type"), .init(title: "samples", isNumber: true), .init(title: "from"), .init(title: "to"),
        ])
        for overview in overviews.sorted(by: { ($0.count, $1.type.identifier) > ($1.count, $0.type.identifier) }) {
            table.add([
                TypeName.short(overview.type.identifier), NumberOutput.grouped(overview.count),
                dates.day(span(overview, dates.calendar).start), dates.day(span(overview, dates.calendar).last),
            ])
        }
        print(table.text(), terminator: "")
        let total = overviews.reduce(0) { $0 + $1.count }
        print("\n\(NumberOutput.grouped(total)) samples of \(overviews.count) types")
    }

    /// The start and end of the samples, and an instant on the last day. The days of summaries are stored in UTC.
    private func span(_ overview: TypeOverview, _ calendar: Calendar) -> (start: Date, end: Date, last: Date) {
        let (start, end) = (Date(reference: overview.start), Date(reference: overview.end))
        guard overview.type.kind == .activitySummary else { return (start, end, end) }
        var utc = Calendar(identifier: .gregorian)
        utc.timeZone = .gmt
        func local(_ date: Date) -> Date {
            calendar.date(from: utc.dateComponents([.year, .month, .day], from: date)) ?? date
        }
        return (local(start), local(end), local(end.addingTimeInterval(-1)))
    }
}
