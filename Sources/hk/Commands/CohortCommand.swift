public import ArgumentParser
import Foundation
public import HealthCohort
import HealthModel
import HealthServer
import HealthStorage

/// `hk cohort TYPE`: figures over many people.
struct CohortCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "cohort", abstract: "Compute figures of a quantity type over many people.",
        discussion: """
            For every day, week or month, each person’s own figure is computed as HealthKit does, with sources merged. The \
            answer has the number of people with a figure, and the sum, mean, standard deviation and quantiles of their \
            figures. An interval with fewer people than the minimum has no answer. All intervals are in one time \
            zone, whatever those of the people are.

              hk cohort steps --data /var/lib/openhealthkit --every week --last 1y
              hk cohort restingHeartRate --data people --last 1y --format csv > heart.csv
              hk cohort steps --data people --last 2y --format psql --table steps | psql
            """)

    enum Format: String, ExpressibleByArgument, CaseIterable {
        case table, csv, jsonl, psql
    }

    @Argument(help: "The data type, such as stepCount or steps.", completion: TypeCompletion.name)
    var type: String

    @Option(
        name: .long, help: "A folder with one store for each person, or postgresql://host/database.",
        completion: .directory)
    var data: String

    @OptionGroup var key: KeyOptions

    @Option(
        name: .long,
        help: "The length of the intervals: \(CohortRequest.Interval.allValueStrings.joined(separator: ", ")).")
    var every = CohortRequest.Interval.week

    @Option(
        name: .long,
        help:
            "Each person’s figure: \(CohortRequest.Figure.allValueStrings.joined(separator: ", ")) (default: sum or average)."
    )
    var figure: CohortRequest.Figure?

    @OptionGroup var span: SpanOptions

    @Option(name: .long, help: "The time zone that defines days (default: the system’s).")
    var timeZone: String?

    @Option(
        name: .long, help: "The people, separated by commas, or @FILE with one identifier per line (default: everyone)."
    )
    var people: String?

    @Option(name: .long, help: "The number of people below which an interval has no answer; 2 or more.")
    var minimum = CohortRequest.usualMinimumPeople

    @Option(name: .long, help: "Quantiles above 0 and below 1, separated by commas.")
    var quantiles = "0.25,0.5,0.75"

    @Option(name: .long, help: "The unit of the figures (default: the usual one of the type).")
    var unit: String?

    @Option(name: .long, help: "The form of the output: \(Format.allValueStrings.joined(separator: ", ")).")
    var format = Format.table

    @Option(
        name: .long, help: "With --format psql: the name of the PostgreSQL table, which is created unless it exists.")
    var table: String?

    @Option(
        name: .long, help: "A file for the progress: the same command continues after an interruption.",
        completion: .file())
    var resume: String?

    func validate() throws {
        if (format == .psql) != (table != nil) { throw ValidationError("--format psql and --table belong together.") }
        try TimeZoneArgument.validate(timeZone)
    }

    func run() throws {
        let directory = StoreDirectory(location: ServedStores.location(ofPeople: data))
        let request = try request()
        var run = CohortRun(request, people: try cohort(in: directory), stores: directory)
        run.progressFile = resume.map { URL(fileURLWithPath: $0) }
        let line = ProgressLine()
        let answer = try run.answer { done, total in
            line.show(people: done, of: total)
            return true
        }
        line.finish()
        try print(answer, request)
        try report(answer)
    }

    private func request() throws -> CohortRequest {
        // The people have no common store, and so no time zone.
        let calendar = DateArgument.calendar(in: timeZone.flatMap { TimeZone(identifier: $0) } ?? .current)
        let (start, end) = try span.interval(now: CurrentTime.now, calendar: calendar)
        guard let start else { throw UsageError("Give the range of time: --last 1y, or --from and --to.") }
        let type = try TypeName.resolve(type, dictionaries: .init())
        return try CohortRequest(
            type: type, figure: figure, interval: every, range: start..<max(end ?? CurrentTime.now, start),
            timeZone: calendar.timeZone, quantiles: numbers(), minimumPeople: minimum, unit: unit)
    }

    private func numbers() throws -> [Double] {
        try quantiles.split(separator: ",").map { text in
            guard let number = Double(text.trimmingCharacters(in: .whitespaces)) else {
                throw UsageError("--quantiles: “\(text)” is not a number. Use a form like 0.25,0.5,0.75.")
            }
            return number
        }
    }

    private func cohort(in directory: StoreDirectory) throws -> [String] {
        guard let people else {
            let everyone = try directory.people().map(\.person)
            guard !everyone.isEmpty else {
                throw UsageError("No people found in “\(StorageProviders.withoutPassword(data))”.")
            }
            return everyone
        }
        let names: [String]
        if people.hasPrefix("@") {
            let path = String(people.dropFirst())
            guard let text = try? String(contentsOfFile: path, encoding: .utf8) else {
                throw UsageError("“\(path)” can’t be read.")
            }
            names = text.split(whereSeparator: \.isNewline).map { $0.trimmingCharacters(in: .whitespaces) }.filter {
                !$0.isEmpty
            }
        } else {
            names = people.split(separator: ",").map(String.init)
        }
        if let unknown = try names.first(where: { try !directory.exists($0) }) {
            throw UsageError("Person “\(unknown)” not found.")
        }
        return names
    }

    private func print(_ answer: CohortAnswer, _ request: CohortRequest) throws {
        let table = CohortTable(request, answer)
        let text =
            switch format {
            case .csv: table.csv
            case .jsonl: try table.jsonLines()
            case .psql: try table.postgreSQL(table: self.table ?? "")
            case .table: listing(answer, request)
            }
        try StandardOutput.send(Array(text.utf8))
    }

    private func listing(_ answer: CohortAnswer, _ request: CohortRequest) -> String {
        guard !answer.rows.isEmpty else {
            return "No interval has figures of \(request.minimumPeople) people or more.\n"
        }
        let names = request.quantiles.map { CohortTable.name(ofQuantile: $0) }
        var table = Table(
            [.text(request.interval.rawValue)]
                + (["people", "sum", "mean", "deviation"] + names).map { .number($0) })
        for row in answer.rows {
            let figures = [row.sum, row.mean, row.standardDeviation] + row.quantiles.compactMap { $0 }
            table.add([label(row.start, request), NumberOutput.grouped(row.people)] + figures.map(number))
        }
        let heading =
            "\(request.type.shortName), \(request.figure.rawValue) of each person per \(request.interval.rawValue), in \(request.unit)"
        return heading + "\n\n" + table.text()
    }

    private func label(_ date: Date, _ request: CohortRequest) -> String {
        let day = request.day(date)
        return request.interval == .month ? String(day.prefix(7)) : day
    }

    private func number(_ value: Double) -> String {
        NumberOutput.text(value, digits: abs(value) < 100 ? 2 : 0)
    }

    /// Says what the rows don't.
    private func report(_ answer: CohortAnswer) throws {
        if answer.withheldIntervals > 0 {
            let intervals =
                answer.withheldIntervals == 1 ? "1 interval has" : "\(answer.withheldIntervals) intervals have"
            Terminal.printError("\(intervals) figures of fewer than \(minimum) people and no answer.\n")
        }
        guard !answer.failures.isEmpty else { return }
        for failure in answer.failures.prefix(5) { Terminal.printError("\(failure.person): \(failure.reason)\n") }
        throw UnreadablePeople(count: answer.failures.count, total: answer.people)
    }
}

extension CohortRequest.Interval: ExpressibleByArgument {}
extension CohortRequest.Figure: ExpressibleByArgument {}
