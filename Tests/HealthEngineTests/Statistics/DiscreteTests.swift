import Foundation
import HealthEngine
import HealthModel
import Testing

/// Averages, extremes, the most recent sample, and covered time.
@Suite struct DiscreteTests {
    private func result(
        _ type: TypeCode, _ options: StatisticsOptions, _ samples: [SampleRecord], pageCapacity: Int = 1_000
    ) throws -> StatisticsValues {
        let store = try TestStore(pageCapacity: pageCapacity)
        try store.engine.save(samples.map { .sample($0) }, as: Names.phone)
        return try store.engine.statistics(StatisticsRequest(type: type, options: options), as: Names.phone)[0].values
    }

    @Test(arguments: [1, 2, 1_000])
    func plainMeanAndExtremes(pageCapacity: Int) throws {
        let values = try result(
            Names.mass, [.discreteAverage, .discreteMin, .discreteMax],
            [
                .quantity(Names.mass, 70, "kg", from: 1), .quantity(Names.mass, 74, "kg", from: 2, to: 900),
                .quantity(Names.mass, 72_000, "g", from: 3),
            ], pageCapacity: pageCapacity)
        #expect(values.average == 72 && values.minimum == 70 && values.maximum == 74)
        #expect(values.sum == nil && values.mostRecent == nil && values.duration == nil)
    }

    @Test func timeWeighsDurations() throws {
        let values = try result(
            Names.heartRate, .discreteAverage,
            [
                .quantity(Names.heartRate, 1, "count/s", from: 0, to: 30),
                .quantity(Names.heartRate, 2, "count/s", from: 100, to: 110),
            ])
        #expect(values.average == (30.0 + 20.0) / 40.0)
    }

    @Test(arguments: [1, 2, 1_000])
    func overlappingTimeCountsOnce(pageCapacity: Int) throws {
        let values = try result(
            Names.heartRate, .discreteAverage,
            [
                .quantity(Names.heartRate, 1, "count/s", from: 0, to: 100),
                // Half of it is covered already; the next one is entirely.
                .quantity(Names.heartRate, 3, "count/s", from: 50, to: 150),
                .quantity(Names.heartRate, 9, "count/s", from: 60, to: 140),
            ], pageCapacity: pageCapacity)
        #expect(values.average == (100.0 + 150.0) / 150.0)
    }

    @Test func timeBetweenReadingsWeighsUpToFiveMinutes() throws {
        let values = try result(
            Names.heartRate, .discreteAverage,
            [
                .quantity(Names.heartRate, 1, "count/s", from: 0), .quantity(Names.heartRate, 3, "count/s", from: 100),
                .quantity(Names.heartRate, 1, "count/s", from: 100_000),
            ])
        #expect(values.average == (2.0 * 100.0 + 2.0 * 300.0) / 400.0)
        // A single reading is its own mean; so are readings at one instant.
        let one = try result(Names.heartRate, .discreteAverage, [.quantity(Names.heartRate, 2, "count/s", from: 5)])
        #expect(one.average == 2)
        let two = try result(
            Names.heartRate, .discreteAverage,
            [.quantity(Names.heartRate, 1, "count/s", from: 5), .quantity(Names.heartRate, 2, "count/s", from: 5)])
        #expect(two.average == 1.5)
    }

    @Test func soundLevelsAddAsEnergies() throws {
        // IEC 61672-1: a tenth of the time at 90 dB among silence of 60 dB.
        let values = try result(
            Names.noise, .discreteAverage,
            [
                .quantity(Names.noise, 60, "dBASPL", from: 0, to: 900),
                .quantity(Names.noise, 90, "dBASPL", from: 900, to: 1_000),
            ])
        let expected = 10 * log10((900 * 1e6 + 100 * 1e9) / 1_000)
        #expect(abs(try #require(values.average) - expected) < 1e-9)
        let instants = try result(
            Names.noise, .discreteAverage,
            [.quantity(Names.noise, 60, "dBASPL", from: 0), .quantity(Names.noise, 60, "dBASPL", from: 9)])
        #expect(abs(try #require(instants.average) - 60) < 1e-9)
    }

    @Test(arguments: [1, 2, 1_000])
    func mostRecentIsTheLatestToEnd(pageCapacity: Int) throws {
        let values = try result(
            Names.mass, .mostRecent,
            [
                .quantity(Names.mass, 1, "kg", from: 0, to: 500), .quantity(Names.mass, 2, "kg", from: 100, to: 400),
                .quantity(Names.mass, 3, "kg", from: 200, to: 500), .quantity(Names.mass, 4, "kg", from: 200, to: 500),
                .quantity(Names.mass, 5, "kg", from: 300, to: 499),
            ], pageCapacity: pageCapacity)
        #expect(values.mostRecent == .init(value: 4, start: 200, end: 500))
    }

    @Test(arguments: [1, 2, 1_000])
    func durationCountsOverlapsOnce(pageCapacity: Int) throws {
        let values = try result(
            Names.steps, .duration,
            [
                .quantity(Names.steps, 1, "count", from: 0, to: 100),
                .quantity(Names.steps, 1, "count", from: 50, to: 120),
                .quantity(Names.steps, 1, "count", from: 60, to: 70),
                .quantity(Names.steps, 1, "count", from: 200, to: 210),
                .quantity(Names.steps, 1, "count", from: 300),
            ], pageCapacity: pageCapacity)
        #expect(values.duration == 130)
    }

    @Test(arguments: [1, 1_000])
    func nanAffectsSumsButNotExtremes(pageCapacity: Int) throws {
        let samples = [3, .nan, 5].enumerated().map {
            SampleRecord.quantity(Names.mass, $1, "kg", from: Double($0))
        }
        let values = try result(
            Names.mass, [.discreteAverage, .discreteMin, .discreteMax], samples, pageCapacity: pageCapacity)
        #expect(values.minimum == 3 && values.maximum == 5)
        #expect(try #require(values.average).isNaN)
        let filter = SampleFilter.quantity(.lessThan, QuantityRecord(4, unit: "kg"))
        let store = try TestStore(pageCapacity: pageCapacity)
        try store.engine.save(samples.map { .sample($0) }, as: Names.phone)
        let found = try store.engine.samples(
            SampleRequest(parts: [.init(type: Names.mass, filter: filter)]), as: Names.phone)
        #expect(found.found.map(\.value) == [3])
        let unequal = try store.engine.samples(
            SampleRequest(parts: [.init(type: Names.mass, filter: .not(filter))]), as: Names.phone)
        #expect(unequal.count == 2)
    }

    @Test func aSampleCountsInEveryIntervalItReachesInto() throws {
        let store = try TestStore()
        try store.engine.save(
            [.sample(.quantity(Names.mass, 70, "kg", from: 50, to: 200))], as: Names.phone)
        let request = StatisticsRequest(
            type: Names.mass, options: [.discreteAverage, .mostRecent],
            buckets: .bounds { _ in [0, 100, 200, 300] })
        let buckets = try store.engine.statistics(request, as: Names.phone)
        #expect(buckets.map(\.values.average) == [70, 70])
        #expect(buckets[0].values.mostRecent?.end == 200)
    }

    @Test func optionsOfTheOtherFamilyAreRefused() throws {
        let store = try TestStore()
        func refusal(_ type: TypeCode, _ options: StatisticsOptions) -> String? {
            do {
                _ = try store.engine.statistics(StatisticsRequest(type: type, options: options), as: Names.phone)
            } catch EngineError.invalidArgument(let text) {
                return text
            } catch {
                return nil
            }
            return nil
        }
        #expect(
            refusal(Names.mass, .cumulativeSum)
                == "Statistics option HKStatisticsOptionCumulativeSum is not compatible with discrete data type HKQuantityTypeIdentifierBodyMass"
        )
        #expect(
            refusal(Names.steps, [.mostRecent, .discreteAverage])
                == "Statistics option HKStatisticsOptionDiscreteAverage is not compatible with cumulative data type HKQuantityTypeIdentifierStepCount"
        )
        #expect(refusal(Names.workout, .cumulativeSum) != nil)
        #expect(refusal(Names.sleep, .mostRecent) != nil)
    }
}
