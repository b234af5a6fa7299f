import Foundation
import HealthCohort
import HealthEngine
import HealthModel
import Testing

/// The figures of single people that a reader learns who may not.
@Suite("Disclosure of cohorts") struct DisclosureTests {
    private static let monday = 725_760_000.0

    private typealias Samples = [(source: String, samples: [SampleRecord])]

    private func samples(_ value: Double, areRates: Bool = false) throws -> Samples {
        let sample: SampleRecord =
            areRates
            ? try .heartRate(value, at: Self.monday + 60) : try .steps(value, from: Self.monday + 60, for: 60)
        return [("org.example.phone", [sample])]
    }

    private func people(_ values: [Double], areRates: Bool = false) throws -> CohortPeople {
        try CohortPeople(values.count) { try samples(values[$0], areRates: areRates) }
    }

    private func row(
        _ values: [Double], quantiles: [Double] = [0.25, 0.5, 0.75], minimum: Int = 10, unit: String? = nil,
        protects: Bool = true, areRates: Bool = false
    ) throws -> CohortRow {
        try row(
            of: people(values, areRates: areRates), quantiles: quantiles, minimum: minimum, unit: unit,
            protects: protects, areRates: areRates)
    }

    private func row(
        of people: CohortPeople, quantiles: [Double] = [0.25, 0.5, 0.75], minimum: Int = 10, unit: String? = nil,
        protects: Bool = true, areRates: Bool = false
    ) throws -> CohortRow {
        let day = Date(timeIntervalSinceReferenceDate: Self.monday)
        var request = try CohortRequest(
            type: #require(areRates ? CohortPeople.heartRate : CohortPeople.steps), interval: .day,
            range: day..<day + 86_400, timeZone: #require(TimeZone(identifier: "UTC")), quantiles: quantiles,
            minimumPeople: minimum, unit: unit)
        if protects { request = try request.protectingPeople(asOf: .distantFuture) }
        return try #require(CohortRun(request, people: people.names, stores: people).answer().rows.first)
    }

    /// Figures of people who differ much.
    private func figures(_ count: Int) -> [Double] {
        (0..<count).map { Double(2_000 + ($0 * 7_919) % 11_000) }
    }

    private static let all = (1...19).map { Double($0) / 20 }

    @Test(
        "Between two quantiles, and beyond them, there are at least as many people as the minimum",
        arguments: [(10, 0), (19, 0), (20, 1), (39, 1), (40, 3), (99, 3), (100, 5), (199, 5), (200, 19), (450, 19)])
    func quantiles(_ people: Int, _ count: Int) throws {
        let row = try row(figures(people), quantiles: Self.all)
        let shown = zip(Self.all, row.quantiles).filter { $0.1 != nil }.map(\.0)
        #expect(shown.count == count)
        for (one, next) in zip([0] + shown, shown + [1]) { #expect((next - one) * Double(people) >= 10 - 1e-9) }
    }

    @Test("Each quantile is given or not whatever else is asked for")
    func singleQuantiles() throws {
        for count in [12, 25, 60, 120] {
            let people = try people(figures(count))
            let all = try row(of: people, quantiles: Self.all).quantiles
            for (place, share) in Self.all.enumerated() {
                #expect(try row(of: people, quantiles: [share]).quantiles == [all[place]])
            }
        }
        for share in [0.49, 0.501, 0.26] {
            #expect(throws: CohortError.self) { try row(figures(12), quantiles: [share]) }
        }
    }

    @Test("Mean and deviation of ten people don’t tell the figure of the tenth to those who know nine")
    func ten() throws {
        let values = figures(10)
        let row = try row(values)
        let exact = values.reduce(0, +)
        #expect(row.sum != exact && abs(row.sum - exact) <= 3_500)
        // The rest is as uncertain as a person: the deviation of all is 3,400.
        let others = try people(values.dropLast())
        let candidates = try stride(from: 0.0, through: 20_000, by: 100).filter { last in
            try self.row(of: others.joined(by: samples(max(last, 1)))).sum == row.sum
        }
        #expect(candidates.count >= 15, "\(candidates.count)")
    }

    @Test("The difference of two cohorts that differ in one person isn’t that person’s figure")
    func difference() throws {
        var errors: [Double] = []
        let people = try people(figures(12))
        let sum = try row(of: people).sum
        for last in stride(from: 3_000.0, to: 12_000, by: 500) {
            errors.append(abs(try row(of: people.joined(by: samples(last))).sum - sum - last))
        }
        #expect(errors.filter { $0 < 100 }.count <= 2, "\(errors)")
    }

    @Test("Another unit doesn’t give more digits")
    func units() throws {
        let rates = (0..<12).map { 55 + Double($0 * 7 % 31) }
        let (minute, second) = try (row(rates, areRates: true), row(rates, unit: "count/s", areRates: true))
        #expect(minute.mean != rates.reduce(0, +) / 12)
        #expect(abs(second.mean * 60 - minute.mean) < 1e-9 && abs(second.sum * 60 - minute.sum) < 1e-6)
        #expect(abs(second.standardDeviation * 60 - minute.standardDeviation) < 1e-9)
    }

    @Test("Rounding is less than what chance does, and the owner of the stores gets exact figures")
    func accuracy() throws {
        for count in [10, 50, 400] {
            let values = figures(count)
            let (exact, shown) = try (row(values, protects: false), row(values))
            let error = exact.standardDeviation / Double(count).squareRoot()
            #expect(abs(shown.mean - exact.mean) <= error / 2)
            #expect(abs(shown.standardDeviation - exact.standardDeviation) <= error / 2)
            #expect(abs(exact.sum - values.reduce(0, +)) < 1e-6)
            if count >= 50 { #expect(abs((shown.quantiles[1] ?? 0) - (exact.quantiles[1] ?? -1)) <= error / 2) }
        }
    }

    @Test("Intervals that haven’t ended can be left out")
    func ended() throws {
        let day = Date(timeIntervalSinceReferenceDate: Self.monday)
        let request = try CohortRequest(
            type: #require(CohortPeople.steps), interval: .day, range: day..<day + 3 * 86_400,
            timeZone: #require(TimeZone(identifier: "UTC")))
        #expect(try request.protectingPeople(asOf: day + 2 * 86_400 + 1).intervalCount == 2)
        let none = try request.protectingPeople(asOf: day)
        #expect(none.intervalCount == 0)
        #expect(try CohortRun(none, people: ["a"], stores: CohortPeople(0) { _ in [] }).answer().rows.isEmpty)
    }
}
