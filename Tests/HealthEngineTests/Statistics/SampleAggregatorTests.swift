import Foundation
import HealthEngine
import HealthModel
import Testing

@Suite struct SampleAggregatorTests {
    private func type(_ name: String) throws -> TypeDescription {
        try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifier" + name))
    }

    private func sample(
        _ type: TypeDescription, _ start: Double, _ end: Double, _ value: Double, _ unit: String = "count/min",
        _ metadata: Metadata = .empty
    ) -> SampleRecord {
        SampleRecord(type: type.code, start: start, end: end, value: value, unit: unit, metadata: metadata)
    }

    @Test func theEquivalentLevelAddsEnergy() throws {
        let type = try #require(
            TypeCatalog.description(for: "HKQuantityTypeIdentifierEnvironmentalAudioExposure"))
        let samples = [80.0, 80].enumerated().map { index, level in
            SampleRecord(
                type: type.code, start: Double(index), end: Double(index) + 1, value: level,
                unit: "dBASPL")
        }
        let values = try #require(SampleAggregator.values(of: samples, type: type))
        #expect(abs((values.average ?? 0) - 80) < 1e-9)
    }

    @Test func sumsConvertUnitsAndCountOverlapsOnce() throws {
        let type = try #require(
            TypeCatalog.description(for: "HKQuantityTypeIdentifierDistanceWalkingRunning"))
        func distance(_ start: Double, _ end: Double, _ value: Double, _ unit: String) -> SampleRecord {
            SampleRecord(type: type.code, start: start, end: end, value: value, unit: unit)
        }
        let values = try #require(
            SampleAggregator.values(
                of: [distance(0, 10, 1, "km"), distance(5, 15, 500, "m"), distance(0, 1, 9, "s")],
                type: type))
        #expect(values.sum == 1_500)
        #expect(values.duration == 15)
        #expect(values.mostRecent?.value == 500)
        #expect(SampleAggregator.values(of: [], type: type) == nil)
    }

    /// As a query takes the mean of instants: 60 to 80 over ten seconds, 80 to 80 over thirty.
    @Test func instantsWeighByTheTimeBetweenThem() throws {
        let type = try type("HeartRate")
        let samples = [sample(type, 40, 40, 80), sample(type, 0, 0, 60), sample(type, 10, 10, 80)]
        let values = try #require(SampleAggregator.values(of: samples, type: type))
        // The canonical unit is count/s.
        #expect(abs((values.average ?? 0) * 60 - 77.5) < 1e-9)
        #expect(values.mostRecent?.start == 40)
        #expect(values.sum == nil)
    }

    @Test func innerQuantitiesCountInTheirSamplesPlace() throws {
        let type = try type("RespiratoryRate")
        let samples = [sample(type, 0, 30, 20, "count/s"), sample(type, 30, 30, 40, "count/s")]
        let series = QuantitySeries(starts: [0, 10, 20], ends: [0, 10, 20], values: [10, 20, 30])
        let values = try #require(SampleAggregator.values(of: samples, type: type, series: [0: series]))
        #expect(values.average == 25)
        #expect(values.minimum == 10 && values.maximum == 40)
    }

    @Test func metadataDescribesTheQuantitiesOfASeries() throws {
        let type = try type("RespiratoryRate")
        let metadata = Metadata([
            .init(key: MetadataKey.seriesCount, value: .integer(3)),
            .init(key: MetadataKey.seriesMinimum, value: .double(10)),
            .init(key: MetadataKey.seriesMaximum, value: .double(30)),
            .init(key: MetadataKey.seriesLatest, value: .double(30)),
            .init(key: MetadataKey.seriesLatestStart, value: .double(20)),
            .init(key: MetadataKey.seriesLatestEnd, value: .double(30)),
        ])
        let samples = [sample(type, 0, 30, 20, "count/s", metadata), sample(type, 5, 5, 40, "count/s")]
        let values = try #require(SampleAggregator.values(of: samples, type: type))
        #expect(values.average == 25)
        #expect(values.minimum == 10 && values.maximum == 40)
        #expect(values.mostRecent == .init(value: 30, start: 20, end: 30))
    }

    @Test func impossibleSeriesCountsAreIgnored() throws {
        let type = try type("RespiratoryRate")
        let metadata = Metadata([.init(key: MetadataKey.seriesCount, value: .integer(.max))])
        let samples = [
            sample(type, 0, 30, 10, "count/s", metadata), sample(type, 30, 60, 30, "count/s", metadata),
        ]
        #expect(SampleAggregator.values(of: samples, type: type)?.average == 20)
    }
}
