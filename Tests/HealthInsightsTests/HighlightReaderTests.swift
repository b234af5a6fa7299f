import Foundation
import HealthInsights
import HealthKit
import HealthTesting
import Testing

@Suite("Highlights")
struct HighlightReaderTests {
    private let health = TestHealthStore()
    private let days = InsightsDays()
    private var reader: HighlightReader { HighlightReader(store: health.store, calendar: days.calendar) }
    private let beats = HKUnit.count().unitDivided(by: .minute())
    /// A Sunday at noon.
    private var now: Date { days.date("2025-11-16 12:00") }

    private func day(_ daysAgo: Int) -> Date {
        days.calendar.date(byAdding: .day, value: -daysAgo, to: days.date("2025-11-16"))!
    }

    private func plant(
        _ type: HKQuantityTypeIdentifier, _ unit: HKUnit, _ values: [(daysAgo: Int, hour: Double, value: Double)]
    ) throws {
        try health.plant(
            values.map { entry in
                HKQuantitySample(
                    type: HKQuantityType(type), quantity: HKQuantity(unit: unit, doubleValue: entry.value),
                    start: day(entry.daysAgo) + entry.hour * 3_600, end: day(entry.daysAgo) + entry.hour * 3_600)
            })
    }

    private func highlight(_ type: HKQuantityTypeIdentifier, asOf now: Date? = nil) async throws -> Highlight? {
        let measures = HighlightMeasure.all.filter { $0.type.identifier == type.rawValue }
        return try await reader.highlights(of: measures, asOf: now ?? self.now).first
    }

    @Test("Weeks, days and ranges are those of a naive calculation", arguments: [1, 2, 3, 4] as [UInt64])
    func naive(seed: UInt64) async throws {
        var random = SplitMix64(seed: seed)
        var rates: [Int: [Double]] = [:]
        var steps: [Int: [Double]] = [:]
        for daysAgo in -1..<200 {
            guard Double.random(in: 0..<1, using: &random) < 0.7 else { continue }
            for _ in 0..<Int.random(in: 1...3, using: &random) {
                rates[daysAgo, default: []].append(Double(Int.random(in: 45...65, using: &random)))
                steps[daysAgo, default: []].append(Double(Int.random(in: 500...5_000, using: &random)))
            }
        }
        func entries(_ values: [Int: [Double]]) -> [(daysAgo: Int, hour: Double, value: Double)] {
            values.flatMap { day, values in values.enumerated().map { (day, 8 + Double($0) * 0.5, $1) } }
        }
        try plant(.respiratoryRate, beats, entries(rates))
        try plant(.stepCount, .count(), entries(steps))
        func mean(_ values: [Double]) -> Double? { values.isEmpty ? nil : values.reduce(0, +) / Double(values.count) }
        // Today counts for what is measured, and not for sums.
        for (type, planted, first) in [(HKQuantityTypeIdentifier.respiratoryRate, rates, 0), (.stepCount, steps, 1)] {
            let isSum = first == 1
            let weeks = (0...26).map { week in
                (first + 7 * week..<first + 7 * week + 7).compactMap { planted[$0] }
            }
            let averages = weeks.map { week -> Double? in
                guard week.count >= 3 else { return nil }
                return isSum ? mean(week.map { $0.reduce(0, +) }) : mean(week.flatMap { $0 })
            }
            let before = (first + 7..<first + 7 * 27).compactMap { day in planted[day].flatMap(mean) }
            let found = try #require(try await highlight(type))
            let place: Comment = "seed \(seed): \(type.rawValue)"
            let expected = UsualRange(averages.dropFirst().compactMap { $0 }, possible: 0 ... .infinity)
            #expect(found.weekCount == averages.dropFirst().count { $0 != nil }, place)
            #expect(isClose(found.average, averages[0]), place)
            #expect(isClose(found.usualWeeks?.minimum, expected?.minimum), place)
            #expect(isClose(found.usualWeeks?.maximum, expected?.maximum), place)
            let usualDays = isSum ? nil : UsualRange(before, possible: 0 ... .infinity)
            #expect(isClose(found.usualDays?.maximum, usualDays?.maximum), place)
            #expect(found.days.map(\.date) == (first..<first + 7).reversed().map(day), place)
            let unusual = (first..<first + 7).reversed().filter { daysAgo in
                guard let usualDays, let value = planted[daysAgo].flatMap(mean) else { return false }
                return !usualDays.contains(value)
            }
            #expect(found.unusualDays.map(\.date) == unusual.map(day), place)
        }
    }

    private func isClose(_ one: Double?, _ other: Double?) -> Bool {
        guard let one, let other else { return one == nil && other == nil }
        return abs(one - other) <= 1e-9 * max(1, abs(other))
    }

    /// Rates of 52 to 54 on every day until a week ago.
    private var usual: [(daysAgo: Int, hour: Double, value: Double)] {
        (7..<189).map { (daysAgo: $0, hour: 8, value: 52 + Double($0 * 5 % 11 % 3)) }
    }

    @Test("A week above the usual weeks stands out, then a single day; what varies as usual doesn't")
    func findings() async throws {
        try plant(.restingHeartRate, beats, usual + (0..<7).map { (daysAgo: $0, hour: 8, value: 58) })
        let week = try #require(try await highlight(.restingHeartRate))
        #expect(week.finding == .week && week.direction == .higher && week.value == 58)
        #expect(week.unusualDays.count == 7 && (week.standardized ?? 0) > 3)
        try plant(
            .respiratoryRate, beats,
            usual + (0..<7).map { (daysAgo: $0, hour: 8, value: $0 == 3 ? 40 : $0 == 4 ? 66.5 : 53) })
        let day = try #require(try await highlight(.respiratoryRate))
        #expect(day.finding == .day && day.direction == .higher && day.value == 66.5)
        #expect(day.mostUnusualDay?.date == self.day(4) && day.unusualDays.count == 2)
        try plant(.heartRateVariabilitySDNN, .secondUnit(with: .milli), usual + [0, 1, 2].map { ($0, 8, 53) })
        let calm = try #require(try await highlight(.heartRateVariabilitySDNN))
        #expect(calm.finding == .usual && calm.direction == nil && calm.value == 53)
    }

    @Test("Too little data is unknown, and so are values that are all equal")
    func unknown() async throws {
        // Seven weeks before, and one with two days.
        try plant(
            .restingHeartRate, beats,
            usual.filter { $0.daysAgo < 56 || $0.daysAgo > 186 } + [(0, 8, 90), (1, 8, 90), (2, 8, 90)])
        let few = try #require(try await highlight(.restingHeartRate))
        #expect(few.weekCount == 7 && few.usualWeeks == nil && few.finding == .day)
        try plant(.bodyMass, .gramUnit(with: .kilo), (0..<189).map { ($0, 8, 70) })
        let equal = try #require(try await highlight(.bodyMass))
        #expect(equal.weekCount == 26 && equal.finding == .unknown && equal.average != nil)
        // Two days of this week.
        try plant(.respiratoryRate, beats, usual + [(0, 8, 53), (1, 8, 53)])
        let short = try #require(try await highlight(.respiratoryRate))
        #expect(short.average == nil && short.finding == .unknown)
        #expect(try await highlight(.vo2Max) == nil)
    }

    @Test("Nights are compared by the time asleep, and temperatures can be below zero")
    func nights() async throws {
        try health.plant(
            (0..<100).map { night in
                let end = day(night) + 7 * 3_600
                let hours = night < 7 ? 4.5 : 7.5 + Double(night % 3) / 4
                return HKCategorySample(
                    type: HKCategoryType(.sleepAnalysis), value: HKCategoryValueSleepAnalysis.asleepCore.rawValue,
                    start: end - hours * 3_600, end: end)
            })
        let measures = HighlightMeasure.all.filter(\.isSleep)
        let found = try #require(try await reader.highlights(of: measures, asOf: now).first)
        #expect(found.finding == .week && found.direction == .lower && found.unit == .second())
        #expect(found.value == 4.5 * 3_600 && found.unusualDays.count == 7)
        let values = (0..<100).map { (night: Int) -> (daysAgo: Int, hour: Double, value: Double) in
            (daysAgo: night, hour: 3, value: Double(night * 3 % 5) / 10 - 0.2)
        }
        try plant(.appleSleepingWristTemperature, .degreeCelsius(), values)
        let temperature = try #require(try await highlight(.appleSleepingWristTemperature))
        let minimum = HKQuantity(unit: temperature.unit, doubleValue: temperature.usualDays?.minimum ?? 0)
        #expect(minimum.doubleValue(for: .degreeCelsius()) < -0.2)
    }

    @Test("A day that is shown as it was at its end is over, and later samples don't count")
    func earlierDay() async throws {
        try plant(.stepCount, .count(), (0..<189).map { (daysAgo: $0, hour: 20, value: Double(4_000 + $0)) })
        let end = Date(timeIntervalSinceReferenceDate: day(0).timeIntervalSinceReferenceDate.nextDown)
        let whole = try #require(try await highlight(.stepCount, asOf: end))
        let expected: [Double] = (1...7).reversed().map { day in Double(4_000 + day) }
        #expect(whole.days.map(\.value) == expected)
        let noon = try #require(try await highlight(.stepCount))
        #expect(noon.days.map(\.date) == whole.days.map(\.date))
        try plant(.restingHeartRate, beats, [(0, 8, 50), (0, 20, 70)])
        #expect(try await highlight(.restingHeartRate)?.days.last?.value == 50)
    }
}
