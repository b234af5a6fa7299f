import HealthEngine
import HealthModel

/// Totals of days where a store has the same in more detail from the same service, or gets it: the parts of a divided archive
/// may be imported separately, in any order.
struct StoredTotals {
    /// A type of a service.
    private struct Key: Hashable {
        let type: TypeCode
        let service: String
    }

    private let engine: HealthEngine
    /// The sources of services that the store had before the import.
    private let sources: [String: Set<String>]
    /// The hours of which the store has something finer.
    private var hours: [Key: Set<Int>] = [:]
    /// What the import has in detail.
    private var detailed: Set<Key> = []

    /// The seconds from which on a sample is of a day: one has 23 hours when the clocks are changed.
    private static let shortest = 23 * 3_600.0
    /// The types of which archives have totals or averages of days.
    private static let types = Set(
        [
            DeviceType.steps, .distanceOnFoot, .activeEnergy, .exerciseTime, .oxygenSaturation, .variability,
            .respiratoryRate, .wristTemperature,
        ].map(\.code))
    /// How the identifiers of sources begin whose archives have totals.
    private static let services = ["google.fitbit", "withings."]

    init(_ engine: HealthEngine) throws {
        self.engine = engine
        sources = try Self.sources(of: engine)
    }

    private static func sources(of engine: HealthEngine) throws -> [String: Set<String>] {
        try engine.dictionaries().sources.reduce(into: [:]) { found, source in
            guard let service = service(of: source) else { return }
            found[service, default: []].insert(source.bundleIdentifier)
        }
    }

    private static func service(of source: SourceRecord) -> String? {
        services.first { source.bundleIdentifier.hasPrefix($0) }
    }

    /// Removes totals from what a file contains of whose days the store has something finer.
    mutating func leaveOutCovered(of content: inout DeviceContent) throws {
        guard !sources.isEmpty else { return }
        var kept: [SampleRecord] = []
        for sample in content.samples where try !isCovered(sample.type, sample.revision, sample.start, sample.end) {
            kept.append(sample)
        }
        var count = content.samples.count - kept.count
        content.samples = kept
        for place in content.series.indices {
            let series = content.series[place]
            // All of a series are totals, or none.
            guard let start = series.starts.first, let end = series.ends.first else { continue }
            _ = try isCovered(series.type, series.samples.revision, start, end)
            guard end - start >= Self.shortest else { continue }
            var rest = DeviceSeries(of: series)
            for row in 0..<series.count
            where try !isCovered(series.type, series.samples.revision, series.starts[row], series.ends[row]) {
                rest.append(series.values[row], series.starts[row], series.ends[row])
            }
            count += series.count - rest.count
            content.series[place] = rest
        }
        if count > 0 { content.leaveOut("total of a day of which the store has more", count: count) }
    }

    /// Whether a sample is a total of whose day the store has something finer. Takes note of one that isn't a total.
    private mutating func isCovered(
        _ type: TypeCode, _ revision: SourceRevisionRecord?, _ start: Double, _ end: Double
    ) throws -> Bool {
        guard Self.types.contains(type), let service = revision.flatMap({ Self.service(of: $0.source) }),
            let known = sources[service]
        else { return false }
        let key = Key(type: type, service: service)
        guard end - start >= Self.shortest else {
            detailed.insert(key)
            return false
        }
        if hours[key] == nil { hours[key] = try finerHours(of: type, from: known) }
        return Self.range(start, end).contains { hours[key]?.contains($0) ?? false }
    }

    private static func range(_ start: Double, _ end: Double) -> ClosedRange<Int> {
        let first = GoogleCoverage.hour(start)
        return first...max(first, GoogleCoverage.hour(end - 1))
    }

    private func finerHours(of type: TypeCode, from sources: Set<String>) throws -> Set<Int> {
        let filter = SampleFilter.and([.source(sources), .duration(.lessThan, Self.shortest)])
        var hours: Set<Int> = []
        for batch in try samples(of: type, filter) {
            for start in batch.starts { hours.insert(GoogleCoverage.hour(start)) }
        }
        return hours
    }

    private func samples(of type: TypeCode, _ filter: SampleFilter) throws -> [SampleColumns] {
        let parts = [SampleRequest.Part(type: type, filter: filter)]
        return try engine.samples(SampleRequest(parts: parts, columns: [.starts, .ends]), as: .reader).batches
    }

    /// Removes the totals from the store of whose days the import has brought something finer.
    ///
    /// - Returns: Their number.
    func removeCovered() throws -> Int {
        guard !detailed.isEmpty else { return 0 }
        let now = try Self.sources(of: engine)
        var count = 0
        for key in detailed {
            guard let before = sources[key.service], let all = now[key.service] else { continue }
            let filter = SampleFilter.and([.source(before), .duration(.greaterThanOrEqual, Self.shortest)])
            let totals = try samples(of: key.type, filter).flatMap { zip($0.starts, $0.ends) }
            guard !totals.isEmpty else { continue }
            let hours = try finerHours(of: key.type, from: all)
            let covered = totals.filter { Self.range($0, $1).contains(where: hours.contains) }
            guard !covered.isEmpty else { continue }
            let days = covered.map { SampleFilter.and([.start(.equal, $0), .end(.equal, $1)]) }
            count += try engine.deleteObjects(of: key.type, matching: .and([filter, .or(days)]), as: .reader)
        }
        return count
    }
}
