import AppleHealthGenerator
import Foundation
import HealthFixtures
import HealthKit
import HealthTesting
import Testing

/// The statements about the data of each scenario, with two seeds.
@Suite("Scenarios")
struct ScenarioTests {
    private static let seeds: [UInt64] = [1, 20_251_116]

    private let newYork: Calendar = {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = TimeZone(identifier: "America/New_York")!
        return calendar
    }()

    private func quantities(_ identifier: HKQuantityTypeIdentifier, _ health: TestHealthStore) async throws
        -> [HKQuantitySample]
    {
        try await HKSampleQueryDescriptor(
            predicates: [.quantitySample(type: HKQuantityType(identifier))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
    }

    private func categories(_ identifier: HKCategoryTypeIdentifier, _ health: TestHealthStore) async throws
        -> [HKCategorySample]
    {
        try await HKSampleQueryDescriptor(
            predicates: [.categorySample(type: HKCategoryType(identifier))],
            sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
    }

    private func sum(_ identifier: HKQuantityTypeIdentifier, _ health: TestHealthStore) async throws -> Double {
        let query = HKStatisticsQueryDescriptor(
            predicate: .quantitySample(type: HKQuantityType(identifier)), options: .cumulativeSum)
        return try #require(try await query.result(for: health.store)?.sumQuantity()).doubleValue(for: .count())
    }

    private func count(_ samples: [HKQuantitySample]) -> Double {
        samples.reduce(0) { $0 + $1.quantity.doubleValue(for: .count()) }
    }

    private func model(_ sample: HKSample) -> String? { sample.device?.model }

    private func day(_ date: Date) -> Date { newYork.startOfDay(for: date) }

    @Test("A name is of one scenario, and a seed of one archive", arguments: HealthScenario.all)
    func names(scenario: HealthScenario) throws {
        #expect(HealthScenario(named: scenario.name) == scenario)
        #expect(HealthScenario.all.filter { $0.name == scenario.name }.count == 1)
        func bytes(_ seed: UInt64) throws -> Data {
            let collected = Collected()
            try ArchiveGenerator(options: scenario.options(seed: seed)).writeXML {
                collected.data.append(contentsOf: $0)
            }
            return collected.data
        }
        #expect(try bytes(1) == bytes(1))
        #expect(try bytes(1) != bytes(2))
    }

    private final class Collected { var data = Data() }

    @Test("An unknown name is of none")
    func unknown() { #expect(HealthScenario(named: "holiday") == nil) }

    @Test("Two weeks have steps, a night and rings on every day, and the clock shows their end", arguments: seeds)
    func ordinaryFortnight(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .ordinaryFortnight, seed: seed)
        let end = try Date("2025-11-16T17:00:00Z", strategy: .iso8601)
        #expect(health.clock.now == end)
        let steps = try await quantities(.stepCount, health)
        #expect(Set(steps.map { day($0.startDate) }).count == 14)
        #expect(steps.allSatisfy { $0.endDate <= end })
        #expect(Set(steps.compactMap(model)) == ["Watch", "iPhone"])
        let nights = try await categories(.sleepAnalysis, health).filter {
            $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue
        }
        #expect(nights.count == 13)
        #expect(nights.allSatisfy { (5...9).contains($0.endDate.timeIntervalSince($0.startDate) / 3_600) })
    }

    @Test("Each of the phone’s steps are counted by the watch, too, and only once by statistics", arguments: seeds)
    func phoneAndWatch(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .phoneAndWatch, seed: seed)
        let steps = try await quantities(.stepCount, health)
        let watch = steps.filter { model($0) == "Watch" }
        let phone = steps.filter { model($0) == "iPhone" }
        #expect(!phone.isEmpty && phone.count == watch.count)
        #expect(phone.map { [$0.startDate, $0.endDate] } == watch.map { [$0.startDate, $0.endDate] })
        let merged = try await sum(.stepCount, health)
        #expect(merged < count(steps) && merged >= count(phone) * 0.5)
    }

    @Test("Three days have steps of the phone and nothing of the watch", arguments: seeds)
    func watchLost(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .watchLost, seed: seed)
        let steps = try await quantities(.stepCount, health)
        let all = Set(steps.map { day($0.startDate) })
        let worn = Set(steps.filter { model($0) == "Watch" }.map { day($0.startDate) })
        let lost = all.subtracting(worn).sorted()
        #expect(all.count == 14)
        #expect(
            lost
                == ["2025-11-09", "2025-11-10", "2025-11-11"].map {
                    day(try! Date($0 + "T12:00:00Z", strategy: .iso8601))
                })
        let rates = try await quantities(.heartRate, health)
        #expect(!rates.isEmpty && rates.allSatisfy { !lost.contains(day($0.startDate)) })
    }

    @Test("The person sleeps at 01:30 of both times, on a day of 25 hours", arguments: seeds)
    func clockChange(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .clockChange, seed: seed)
        let nights = try await categories(.sleepAnalysis, health)
        for text in ["2025-11-02T05:30:00Z", "2025-11-02T06:30:00Z"] {
            let moment = try Date(text, strategy: .iso8601)
            #expect(newYork.component(.hour, from: moment) == 1)
            #expect(nights.contains { $0.startDate <= moment && moment < $0.endDate })
        }
        let steps = try await quantities(.stepCount, health)
        let start = day(try Date("2025-11-02T12:00:00Z", strategy: .iso8601))
        let length = try #require(newYork.date(byAdding: .day, value: 1, to: start)).timeIntervalSince(start)
        #expect(length == 25 * 3_600 && steps.contains { day($0.startDate) == start })
    }

    @Test("Nights move from New York’s clock to that of Paris by an hour a day", arguments: seeds)
    func jetLag(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .jetLag, seed: seed)
        let nights = try await categories(.sleepAnalysis, health).filter {
            $0.value == HKCategoryValueSleepAnalysis.inBed.rawValue
        }
        let zones = nights.map { $0.metadata?[HKMetadataKeyTimeZone] as? String }
        #expect(
            zones == Array(repeating: "America/New_York", count: 6) + Array(repeating: "Europe/Paris", count: 7))
        var paris = Calendar(identifier: .gregorian)
        paris.timeZone = TimeZone(identifier: "Europe/Paris")!
        for (index, night) in nights.suffix(7).enumerated() {
            let noon = paris.date(bySettingHour: 12, minute: 0, second: 0, of: night.startDate - 12 * 3_600)
            let hours = try #require(noon).distance(to: night.startDate) / 3_600
            // 22:40 to 24:00 in New York are 04:40 to 06:00 in Paris.
            let late = Double(6 - min(6, index + 1))
            #expect((10.5...12.1).contains(hours - late), "night \(index)")
        }
        let workouts = try await HKSampleQueryDescriptor(
            predicates: [.workout()], sortDescriptors: [SortDescriptor(\.startDate)]
        ).result(for: health.store)
        let flight = try Date("2025-11-09T23:00:00Z", strategy: .iso8601)
        #expect(!workouts.isEmpty && workouts.allSatisfy { $0.startDate < flight })
    }

    @Test("The app reads the last day of two weeks", arguments: seeds)
    func firstDay(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .firstDay, seed: seed)
        let midnight = day(health.clock.now)
        let steps = try await quantities(.stepCount, health)
        #expect(!steps.isEmpty && steps.allSatisfy { $0.endDate >= midnight })
        let dates = try await health.store.earliestAuthorizedSampleDate(for: [HKQuantityType(.stepCount)])
        #expect(dates == [HKQuantityType(.stepCount): midnight])
        let all = try health.snapshot(of: [HKQuantityType(.stepCount)])
        #expect(all.split(separator: "\n").count > steps.count)
    }

    @Test("Denied types look empty and can’t be written, and others can be read", arguments: seeds)
    func deniedTypes(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .deniedTypes, seed: seed)
        for type in [HKQuantityType(.heartRate), HKQuantityType(.bodyMass)] {
            #expect(health.store.authorizationStatus(for: type) == .sharingDenied)
            #expect(try !health.snapshot(of: [type]).isEmpty)
        }
        #expect(try await quantities(.heartRate, health).isEmpty)
        #expect(try await quantities(.bodyMass, health).isEmpty)
        #expect(try await categories(.sleepAnalysis, health).isEmpty)
        #expect(try await !quantities(.stepCount, health).isEmpty)
        let weight = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: .gramUnit(with: .kilo), doubleValue: 72),
            start: health.clock.now, end: health.clock.now)
        await #expect(throws: HKError.self) { try await health.store.save(weight) }
    }

    @Test("Between two pairs of weeks are 365 days without a sample", arguments: seeds)
    func yearWithoutData(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .yearWithoutData, seed: seed)
        let (from, to) = (
            day(health.clock.now - 378 * 86_400), day(health.clock.now - 13 * 86_400)
        )
        var (before, after) = (0, 0)
        for identifier in [HKQuantityTypeIdentifier.stepCount, .heartRate, .bodyMass, .restingHeartRate] {
            let samples = try await quantities(identifier, health)
            before += samples.filter { $0.endDate <= from }.count
            after += samples.filter { $0.startDate >= to }.count
            #expect(samples.allSatisfy { $0.endDate <= from || $0.startDate >= to }, "\(identifier.rawValue)")
        }
        #expect(before > 100 && after > 100)
        #expect(try await categories(.sleepAnalysis, health).allSatisfy { $0.endDate <= from || $0.startDate >= to })
    }

    @Test("Each of three events has fast heart rates, and a burden follows", arguments: seeds)
    func atrialFibrillation(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .atrialFibrillation, seed: seed)
        let events = try await categories(.irregularHeartRhythmEvent, health)
        #expect(events.count == 3)
        let rates = try await quantities(.heartRate, health)
        for event in events {
            let during = rates.filter { (event.startDate..<event.endDate).contains($0.startDate) }
            #expect(during.count == 12)
            #expect(during.allSatisfy { $0.quantity.doubleValue(for: HKUnit(from: "count/min")) >= 118 })
        }
        let burden = try await quantities(.atrialFibrillationBurden, health)
        #expect(burden.count == 2)
        #expect(burden.allSatisfy { (0.01...0.1).contains($0.quantity.doubleValue(for: .percent())) })
    }

    @Test("The race is one workout of five activities without gaps", arguments: seeds)
    func triathlon(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .triathlon, seed: seed)
        let workouts = try await HKSampleQueryDescriptor(predicates: [.workout()], sortDescriptors: []).result(
            for: health.store)
        let race = try #require(workouts.first { $0.workoutActivityType == .swimBikeRun })
        #expect(workouts.filter { $0.workoutActivityType == .swimBikeRun }.count == 1)
        let types = race.workoutActivities.map(\.workoutConfiguration.activityType)
        #expect(types == [.swimming, .transition, .cycling, .transition, .running])
        #expect(race.workoutActivities.first?.startDate == race.startDate)
        #expect(race.workoutActivities.last?.endDate == race.endDate)
        for (one, next) in zip(race.workoutActivities, race.workoutActivities.dropFirst()) {
            #expect(one.endDate == next.startDate)
        }
        for (type, meters) in [
            (HKQuantityTypeIdentifier.distanceSwimming, 1_500.0), (.distanceCycling, 40_000),
            (.distanceWalkingRunning, 10_000),
        ] {
            let distance = race.statistics(for: HKQuantityType(type))?.sumQuantity()?.doubleValue(for: .meter())
            #expect(distance.map { abs($0 - meters) < 0.001 } ?? false, "\(type.rawValue)")
        }
    }

    @Test("Glucose is measured all day, and a bolus precedes each meal", arguments: seeds)
    func diabeticWeek(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .diabeticWeek, seed: seed)
        let unit = HKUnit(from: "mg/dL")
        let glucose = try await quantities(.bloodGlucose, health)
        let values = glucose.map { $0.quantity.doubleValue(for: unit) }
        #expect(values.allSatisfy { (70...230).contains($0) } && values.contains { $0 > 130 })
        for (one, next) in zip(glucose, glucose.dropFirst()) {
            #expect(one.startDate.distance(to: next.startDate) == 900)
        }
        let meals = try await quantities(.dietaryCarbohydrates, health)
        let insulin = try await quantities(.insulinDelivery, health)
        func given(_ reason: HKInsulinDeliveryReason) -> [HKQuantitySample] {
            insulin.filter {
                ($0.metadata?[HKMetadataKeyInsulinDeliveryReason] as? NSNumber)?.intValue == reason.rawValue
            }
        }
        #expect(meals.count == 19 && given(.bolus).count == 19 && given(.basal).count == 6)
        for (bolus, meal) in zip(given(.bolus), meals) {
            #expect(bolus.startDate.distance(to: meal.startDate) == 600)
            let (units, grams) = (
                bolus.quantity.doubleValue(for: .internationalUnit()), meal.quantity.doubleValue(for: .gram())
            )
            #expect(abs(units * 10 - grams) < 0.001)
        }
    }

    @Test("Forty weeks have a positive test, no period, and rising weight", arguments: seeds)
    func pregnancy(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .pregnancy, seed: seed)
        let found = try await categories(.pregnancy, health)
        let pregnancy = try #require(found.first)
        let days = pregnancy.startDate.distance(to: pregnancy.endDate) / 86_400
        #expect(found.count == 1 && abs(days - 280) < 0.1)
        let tests = try await categories(.pregnancyTestResult, health)
        #expect(tests.map(\.value) == [HKCategoryValuePregnancyTestResult.positive.rawValue])
        #expect(tests.allSatisfy { pregnancy.startDate < $0.startDate && $0.endDate < pregnancy.endDate })
        let flow = try await categories(.menstrualFlow, health)
        #expect(flow.count == 5 && flow.allSatisfy { $0.endDate < pregnancy.startDate + 7 * 86_400 })
        let weights = try await quantities(.bodyMass, health).map {
            $0.quantity.doubleValue(for: .gramUnit(with: .kilo))
        }
        let (first, last) = (try #require(weights.first), try #require(weights.last))
        #expect(last - first > 6)
    }

    @Test("Two sources disagree about the same times", arguments: seeds)
    func conflictingSources(seed: UInt64) async throws {
        let health = try TestHealthStore(scenario: .conflictingSources, seed: seed)
        let weights = try await quantities(.bodyMass, health)
        let app = weights.filter { $0.sourceRevision.source.name == "Stride" }
        let others = weights.filter { $0.sourceRevision.source.name != "Stride" }
        #expect(!app.isEmpty && app.map(\.startDate) == others.map(\.startDate))
        for (estimate, measured) in zip(app, others) {
            let kilogram = HKUnit.gramUnit(with: .kilo)
            let difference = estimate.quantity.doubleValue(for: kilogram) - measured.quantity.doubleValue(for: kilogram)
            #expect(abs(difference - 2) < 0.001)
        }
        let steps = try await quantities(.stepCount, health)
        #expect(Set(steps.map(\.sourceRevision.source.name)).count == 3)
        #expect(try await sum(.stepCount, health) < count(steps))
    }
}
