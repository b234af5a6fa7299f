import Foundation
import HealthTesting
import Testing

@testable import HealthKit

/// A workout's statistics, a query over its samples and a predicate over its statistics agree.
@Suite struct WorkoutAgreementTests {
    private let store = FreshStore.make()
    private let start = FreshStore.epoch
    private static let perMinute = HKUnit.count().unitDivided(by: .minute())

    /// One type of each discrete style, with a unit of its samples.
    enum Case: CaseIterable, Sendable {
        case arithmetic, weighted, level

        var type: HKQuantityType {
            switch self {
            case .arithmetic: HKQuantityType(.respiratoryRate)
            case .weighted: HKQuantityType(.heartRate)
            case .level: HKQuantityType(.environmentalAudioExposure)
            }
        }

        var unit: HKUnit { self == .level ? .decibelAWeightedSoundPressureLevel() : perMinute }
    }

    /// Instants and spans that do not overlap, in any order.
    private func samples(_ one: Case, seed: UInt64) -> [HKQuantitySample] {
        var random = SplitMix64(seed: seed)
        var time = 0.0
        var samples = (0..<40).map { _ -> HKQuantitySample in
            let length = Bool.random(using: &random) ? 0 : Double.random(in: 1...20, using: &random)
            defer { time += length + Double.random(in: 0...30, using: &random) }
            return HKQuantitySample(
                type: one.type, quantity: HKQuantity(unit: one.unit, doubleValue: .random(in: 40...90, using: &random)),
                start: start + time, end: start + time + length)
        }
        samples.shuffle(using: &random)
        return samples
    }

    private func expectAgreement(_ one: Case, on workout: HKWorkout) async throws {
        let mine = HKSamplePredicate.quantitySample(
            type: one.type, predicate: HKQuery.predicateForObjects(from: workout))
        let asked = try #require(
            try await HKStatisticsQueryDescriptor(
                predicate: mine, options: [.discreteAverage, .discreteMin, .discreteMax]
            ).result(for: store))
        let own = try #require(workout.statistics(for: one.type))
        func value(_ quantity: HKQuantity?) -> Double { quantity?.doubleValue(for: one.unit) ?? .nan }
        let average = value(asked.averageQuantity())
        #expect(abs(value(own.averageQuantity()) - average) < 1e-9 * average)
        #expect(value(own.minimumQuantity()) == value(asked.minimumQuantity()))
        #expect(value(own.maximumQuantity()) == value(asked.maximumQuantity()))
        for (offset, isFound) in [(-1e-6, true), (1e-6, false)] {
            let more = HKQuery.predicateForWorkouts(
                operatorType: .greaterThan, quantityType: one.type,
                averageQuantity: HKQuantity(unit: one.unit, doubleValue: average + offset))
            let both = NSCompoundPredicate(andPredicateWithSubpredicates: [
                more, HKQuery.predicateForObject(with: workout.uuid),
            ])
            let found = try await HKSampleQueryDescriptor(predicates: [.workout(both)], sortDescriptors: []).result(
                for: store)
            #expect(found.count == (isFound ? 1 : 0), "\(one) \(offset)")
            #expect(more.evaluate(with: workout) == isFound, "\(one) \(offset)")
        }
    }

    private func workout(adding samples: [HKSample]) async throws -> HKWorkout {
        let configuration = HKWorkoutConfiguration()
        configuration.activityType = .running
        let builder = HKWorkoutBuilder(healthStore: store, configuration: configuration, device: nil)
        try await builder.beginCollection(at: start)
        try await builder.addSamples(samples)
        try await builder.endCollection(at: start + 3_600)
        return try #require(try await builder.finishWorkout())
    }

    private func read(_ workout: HKWorkout) async throws -> HKWorkout {
        try #require(
            try await HKSampleQueryDescriptor(
                predicates: [.workout(HKQuery.predicateForObject(with: workout.uuid))], sortDescriptors: []
            ).result(for: store).first)
    }

    @Test("A query and an evaluation on objects agree about workouts without a total or a statistic")
    func missingTotals() async throws {
        let energy = HKQuantity(unit: .kilocalorie(), doubleValue: 100)
        try await store.save([
            HKWorkout(activityType: .yoga, start: start, end: start + 60),
            HKWorkout(
                activityType: .running, start: start, end: start + 60, duration: 0,
                totalEnergyBurned: HKQuantity(unit: .kilocalorie(), doubleValue: 90), totalDistance: nil,
                metadata: nil),
        ])
        func workouts(_ predicate: NSPredicate?) async throws -> [HKWorkout] {
            try await HKSampleQueryDescriptor(predicates: [.workout(predicate)], sortDescriptors: []).result(for: store)
        }
        let statistic = "\(HKPredicateKeyPathWorkoutSumQuantity).\(HKQuantityTypeIdentifier.stepCount.rawValue)"
        let all = try await workouts(nil)
        for (predicate, expected) in [
            (NSPredicate(format: "totalEnergyBurned != %@", energy), [.running]),
            (NSPredicate(format: "NOT totalEnergyBurned == %@", energy), [.yoga, .running]),
            (NSPredicate(format: "totalDistance != %@", HKQuantity(unit: .meter(), doubleValue: 1)), []),
            (NSPredicate(format: "%K != %@", statistic, HKQuantity(unit: .count(), doubleValue: 1)), []),
        ] as [(NSPredicate, [HKWorkoutActivityType])] {
            #expect(try await workouts(predicate).map(\.workoutActivityType) == expected, "\(predicate)")
            #expect(all.filter { predicate.evaluate(with: $0) }.map(\.workoutActivityType) == expected, "\(predicate)")
        }
    }

    @Test(arguments: Case.allCases, [1, 2, 3] as [UInt64])
    func aBuiltWorkout(one: Case, seed: UInt64) async throws {
        let workout = try await workout(adding: samples(one, seed: seed))
        try await expectAgreement(one, on: workout)
        try await expectAgreement(one, on: read(workout))
    }

    @Test(arguments: Case.allCases)
    func aWorkoutThatSamplesWereAddedTo(one: Case) async throws {
        let workout = HKWorkout(activityType: .running, start: start, end: start + 3_600)
        try await store.save(workout)
        try await store.addSamples(samples(one, seed: 4), to: workout)
        try await expectAgreement(one, on: read(workout))
    }

    @Test(arguments: [Case.arithmetic, .weighted])
    func aWorkoutWithASeries(one: Case) async throws {
        let builder = HKQuantitySeriesSampleBuilder(
            healthStore: store, quantityType: one.type, startDate: start, device: nil)
        for (index, rate) in [60.0, 90, 70, 100].enumerated() {
            try builder.insert(HKQuantity(unit: one.unit, doubleValue: rate), at: start + Double(index * index))
        }
        let series = try #require(try await builder.finishSeries(metadata: nil).first)
        let single = HKQuantitySample(
            type: one.type, quantity: HKQuantity(unit: one.unit, doubleValue: 50), start: start + 20, end: start + 20)
        let workout = try await workout(adding: [series, single])
        try await expectAgreement(one, on: workout)
        try await expectAgreement(one, on: read(workout))
    }
}
