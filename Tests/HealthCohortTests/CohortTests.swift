import Foundation
import HealthCohort
import HealthEngine
import HealthModel
import Testing

@Suite("Cohorts")
struct CohortTests {
    private static let utc = TimeZone(identifier: "UTC") ?? .gmt
    private static let day = 86_400.0
    /// Monday, 1 January 2024, in seconds since 2001.
    private static let monday = 725_760_000.0

    private func range(_ days: Double) -> Range<Date> {
        Date(
            timeIntervalSinceReferenceDate: Self.monday)..<Date(
                timeIntervalSinceReferenceDate: Self.monday + days * Self.day)
    }

    /// Walkers with a phone that counts all day and a watch that counts the morning, in which it takes precedence.
    private func walkers(_ count: Int, days: Int = 21) throws -> CohortPeople {
        try CohortPeople(count) { person in
            var (phone, watch) = ([SampleRecord](), [SampleRecord]())
            for day in 0..<days where (person + day) % 7 != 6 {
                let start = Self.monday + Double(day) * Self.day
                phone.append(try .steps(Double(2_000 + person), from: start, for: Self.day / 2))
                phone.append(try .steps(Double(1_000 * (day % 3)), from: start + Self.day / 2, for: 3_600))
                watch.append(try .steps(Double(3_000 + 10 * person * person), from: start, for: Self.day / 2))
            }
            return [("org.example.phone", phone), ("org.example.watch", watch)]
        }
    }

    /// The same by a naive walk over the samples.
    private func steps(of person: Int, week: Int) -> Double? {
        var (sum, isEmpty) = (0.0, true)
        for day in week * 7..<week * 7 + 7 where (person + day) % 7 != 6 {
            sum += Double(3_000 + 10 * person * person) + Double(1_000 * (day % 3))
            isEmpty = false
        }
        return isEmpty ? nil : sum
    }

    @Test("Each person's sources are merged before people are put together")
    func weeklySteps() throws {
        let people = try walkers(25)
        let request = try CohortRequest(
            type: #require(CohortPeople.steps), interval: .week, range: range(21), timeZone: Self.utc,
            quantiles: [0.1, 0.5, 0.9])
        let answer = try CohortRun(request, people: people.names, stores: people).answer()
        #expect(
            answer.rows.count == 3 && answer.withheldIntervals == 0 && answer.failures.isEmpty && answer.people == 25)
        for (week, row) in answer.rows.enumerated() {
            let figures = (0..<25).compactMap { steps(of: $0, week: week) }.sorted()
            #expect(row.start.timeIntervalSinceReferenceDate == Self.monday + Double(week) * 7 * Self.day)
            #expect(row.end.timeIntervalSince(row.start) == 7 * Self.day)
            #expect(row.people == 25)
            #expect(abs(row.sum - figures.reduce(0, +)) < 1e-6)
            #expect(abs(row.mean - figures.reduce(0, +) / 25) < 1e-6)
            // 24 steps between 25 figures: 0.1 lies 2.4 steps from the lowest.
            let tenth = figures[2] + 0.4 * (figures[3] - figures[2])
            let ninetieth = figures[21] + 0.6 * (figures[22] - figures[21])
            #expect(row.quantiles.count == 3)
            #expect(zip(row.quantiles, [tenth, figures[12], ninetieth]).allSatisfy { abs(($0 ?? 0) - $1) < 1e-6 })
            let mean = figures.reduce(0, +) / 25
            let variance = figures.reduce(0) { $0 + ($1 - mean) * ($1 - mean) } / 24
            #expect(abs(row.standardDeviation - variance.squareRoot()) < 1e-6)
        }
    }

    @Test("The answer doesn't depend on the number of workers and of parts")
    func workersAndParts() throws {
        let people = try walkers(30)
        let request = try CohortRequest(
            type: #require(CohortPeople.steps), interval: .day, range: range(21), timeZone: Self.utc)
        var run = CohortRun(request, people: people.names, stores: people)
        let answer = try run.answer()
        #expect(answer.rows.count == 21)
        for workers in [1, 3, 8] {
            for maximumFigures in [1, 100, 1_000_000] {
                run.workers = workers
                run.maximumFigures = maximumFigures
                #expect(try run.answer() == answer)
            }
        }
    }

    @Test("Fewer people than the minimum have no result, but are counted")
    func minimumPeople() throws {
        let people = try CohortPeople(12) { person in
            // All walk on the first day, four on the second, nobody on the third.
            var samples = [try SampleRecord.steps(100, from: Self.monday + 60, for: 60)]
            if person < 4 { samples.append(try .steps(100, from: Self.monday + Self.day, for: 60)) }
            return [("org.example.phone", samples)]
        }
        func answer(_ minimum: Int) throws -> CohortAnswer {
            try CohortRun(
                CohortRequest(
                    type: #require(CohortPeople.steps), interval: .day, range: range(3), timeZone: Self.utc,
                    minimumPeople: minimum),
                people: people.names, stores: people
            ).answer()
        }
        #expect(try answer(10).rows.map(\.people) == [12])
        #expect(try answer(10).withheldIntervals == 1)
        #expect(try answer(4).rows.map(\.people) == [12, 4])
        #expect(try answer(13).rows.isEmpty && answer(13).withheldIntervals == 2)
    }

    @Test("Discrete types have averages, minima and maxima, in the unit asked for")
    func discreteTypes() throws {
        let people = try CohortPeople(5) { person in
            [
                (
                    "org.example.watch",
                    try [60.0, 80, 100].enumerated().map { index, value in
                        try .heartRate(value + Double(person), at: Self.monday + Double(index) * 3_600)
                    }
                )
            ]
        }
        func mean(_ figure: CohortRequest.Figure?, unit: String? = nil) throws -> Double? {
            try CohortRun(
                CohortRequest(
                    type: #require(CohortPeople.heartRate), figure: figure, interval: .month, range: range(1),
                    timeZone: Self.utc, minimumPeople: 5, unit: unit),
                people: people.names, stores: people
            ).answer().rows.first?.mean
        }
        func isMean(_ expected: Double, _ figure: CohortRequest.Figure?) throws -> Bool {
            try mean(figure).map { abs($0 - expected) < 1e-9 } == true
        }
        #expect(try isMean(82, nil))
        #expect(try isMean(62, .minimum))
        #expect(try isMean(102, .maximum))
        #expect(try mean(.average, unit: "count/s").map { abs($0 - 82.0 / 60) < 1e-12 } == true)
    }

    @Test("Intervals are whole days, weeks from Monday and months of the time zone")
    func intervals() throws {
        let berlin = try #require(TimeZone(identifier: "Europe/Berlin"))
        func bounds(_ interval: CohortRequest.Interval, _ range: Range<Date>) throws -> [Date] {
            try CohortRequest(
                type: #require(CohortPeople.steps), interval: interval, range: range, timeZone: berlin
            ).bounds.map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        func date(_ text: String) throws -> Date { try Date(text, strategy: .iso8601) }
        // Daylight saving time begins on 31 March.
        let march = try date("2024-03-30T12:00:00+01:00")..<date("2024-04-01T12:00:00+02:00")
        #expect(
            try bounds(.day, march) == [
                date("2024-03-30T00:00:00+01:00"), date("2024-03-31T00:00:00+01:00"), date("2024-04-01T00:00:00+02:00"),
                date("2024-04-02T00:00:00+02:00"),
            ])
        #expect(
            try bounds(.week, march) == [
                date("2024-03-25T00:00:00+01:00"), date("2024-04-01T00:00:00+02:00"), date("2024-04-08T00:00:00+02:00"),
            ])
        #expect(
            try bounds(.month, march) == [
                date("2024-03-01T00:00:00+01:00"), date("2024-04-01T00:00:00+02:00"), date("2024-05-01T00:00:00+02:00"),
            ])
    }

    @Test("A person counts once, and one whose store can't be read is named")
    func peopleAndFailures() throws {
        let people = try walkers(10)
        let request = try CohortRequest(
            type: #require(CohortPeople.steps), interval: .week, range: range(7), timeZone: Self.utc)
        let answer = try CohortRun(
            request, people: people.names + ["nobody"] + people.names, stores: people
        ).answer()
        #expect(answer.people == 11)
        #expect(answer.rows.map(\.people) == [10])
        #expect(answer.failures.map(\.person) == ["nobody"])
    }

    @Test("Figures that don't fit the type are refused")
    func refusals() throws {
        let steps = try #require(CohortPeople.steps)
        let heartRate = try #require(CohortPeople.heartRate)
        let sleep = try #require(TypeCatalog.description(for: "HKCategoryTypeIdentifierSleepAnalysis"))
        func message(
            _ type: TypeDescription, _ figure: CohortRequest.Figure? = nil, _ days: Double = 7,
            quantiles: [Double] = [],
            minimum: Int = 10, unit: String? = nil
        ) -> String? {
            do {
                _ = try CohortRequest(
                    type: type, figure: figure, interval: .day, range: range(days), timeZone: Self.utc,
                    quantiles: quantiles,
                    minimumPeople: minimum, unit: unit)
                return nil
            } catch {
                return String(describing: error)
            }
        }
        #expect(message(steps) == nil)
        #expect(message(sleep)?.hasPrefix("sleepAnalysis is not a quantity type") == true)
        #expect(message(steps, .average)?.contains("no average") == true)
        #expect(message(heartRate, .sum)?.contains("no sum") == true)
        #expect(message(steps, nil, 0) == "The range of time is empty.")
        #expect(message(steps, nil, 200_000)?.contains("more than 100000 intervals") == true)
        for quantile in [0, 1, -0.5, .nan] {
            #expect(message(steps, quantiles: [quantile])?.hasPrefix("A quantile is a number above 0") == true)
        }
        #expect(message(steps, minimum: 1) == "The minimum number of people is 2 or more.")
        #expect(message(steps, unit: "kg")?.contains("“kg” is not a unit of the sum of stepCount") == true)
    }
}
