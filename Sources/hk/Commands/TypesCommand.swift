import ArgumentParser
import Foundation
import HealthAnswers
import HealthModel

/// `hk types`: lists the data types in the store.
struct TypesCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "types", abstract: "List the data types in the store.",
        discussion: "Shows the number of samples of each type, with the first and last day.")

    @OptionGroup var options: StoreOptions

    func run() async throws {
        let calendar = try RangeOptions.calendar(nil, options)
        try await options.answer(TypesQuestion.self, calendar: calendar) { answer in
            guard !answer.types.isEmpty else {
                return "The store is empty. Fill it with “hk import export.zip”, or look around with “hk --demo types”."
                    + "\n"
            }
            var table = Table(["type", .number("samples"), "from", "to"])
            let dates = DateOutput(calendar: calendar)
            for entry in answer.types.sorted(by: { ($0.count, $1.type.identifier) > ($1.count, $0.type.identifier) }) {
                // A summary ends with its day.
                let last = entry.type.kind == .activitySummary ? entry.end.map { $0 - 1 } : entry.end
                table.add([
                    TypeName.short(entry.type.identifier), NumberOutput.grouped(entry.count),
                    entry.start.map(dates.day) ?? "", last.map(dates.day) ?? "",
                ])
            }
            let total = answer.types.reduce(0) { $0 + $1.count }
            let types = answer.types.count
            return table.text()
                + "\n\(NumberOutput.grouped(total)) sample\(total == 1 ? "" : "s") of \(types) type\(types == 1 ? "" : "s")\n"
        }
    }
}
