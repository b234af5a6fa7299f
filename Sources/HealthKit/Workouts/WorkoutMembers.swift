import Foundation
import HealthEngine
import HealthModel
import HealthStorage

/// The statistics of a workout, of an activity or of a builder.
struct WorkoutStatisticsSource {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    /// Statistics that are stored with the workout.
    var stored: [WorkoutBody.Statistics]
    /// The samples the other statistics are computed from.
    var members: [SampleRecord]

    /// The statistics of every type that has any.
    var all: [HKQuantityType: HKStatistics] {
        var identifiers = Set(stored.map(\.type))
        for code in Set(members.map(\.type)) {
            if let description = TypeCatalog.description(for: code), description.kind == .quantity {
                identifiers.insert(description.identifier)
            }
        }
        var all: [HKQuantityType: HKStatistics] = [:]
        for identifier in identifiers {
            guard let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: identifier)) else {
                continue
            }
            all[type] = statistics(for: type)
        }
        return all
    }

    /// Returns the statistics of one type; `nil` if there are none.
    func statistics(for type: HKQuantityType) -> HKStatistics? {
        let description = type.typeDescription
        // Thousands of samples are usually of one type: copying them would take longer than adding them up.
        let isOther = { (sample: SampleRecord) in sample.type != description.code }
        let samples = members.contains(where: isOther) ? members.filter { !isOther($0) } : members
        let values = SampleAggregator.values(of: samples, type: description)
        guard let found = stored.first(where: { $0.type == type.identifier }),
            HKUnit.parsed(found.unit).map({ type.is(compatibleWith: $0) }) == true
        else {
            return values.map {
                HKStatistics(
                    StatisticsBucket(start: start, end: end, values: $0, unit: description.canonicalUnit ?? "count"),
                    of: type)
            }
        }
        var figures = StatisticsValues(
            sum: found.sum, average: found.average, minimum: found.minimum, maximum: found.maximum)
        // What is not stored is computed from the samples, in the canonical unit.
        if found.unit == description.canonicalUnit, let values {
            figures.mostRecent = values.mostRecent
            figures.duration = values.duration
        }
        return HKStatistics(
            StatisticsBucket(start: found.start, end: found.end, values: figures, unit: found.unit), of: type)
    }
}

/// Stored samples with their identities in the store.
struct StoredSamples: Sendable {
    var records: [SampleRecord] = []
    var identities: [StoredIdentity] = []

    var isEmpty: Bool { records.isEmpty }
}

/// The samples of a workout builder.
struct BuilderMembers: Sendable {
    private(set) var records: [SampleRecord] = []
    private(set) var identities: [StoredIdentity] = []
    private var known: Set<Int64> = []

    /// The latest end of the samples, at least `start`.
    func lastEnd(from start: Double) -> Double {
        records.reduce(start) { max($0, $1.end) }
    }

    /// Adds samples; known ones are ignored. Returns the types of the others.
    mutating func append(_ samples: StoredSamples) -> Set<HKSampleType> {
        let new = samples.identities.indices.filter { known.insert(samples.identities[$0].sequence).inserted }
        if records.isEmpty, new.count == samples.records.count {
            // Records are large, so the array is shared instead of copied.
            (records, identities) = (samples.records, samples.identities)
        } else {
            records += new.lazy.map { samples.records[$0] }
            identities += new.lazy.map { samples.identities[$0] }
        }
        return Set(
            types(of: records.indices.suffix(new.count)).compactMap { code in
                TypeCatalog.description(for: code).flatMap { HKSampleType.described(by: $0) }
            })
    }

    /// The types of some samples, most of which have the type of the one before.
    private func types(of rows: some Sequence<Int>) -> Set<TypeCode> {
        var types: Set<TypeCode> = []
        var last: TypeCode?
        for row in rows where records[row].type != last {
            types.insert(records[row].type)
            last = records[row].type
        }
        return types
    }

    /// Removes the samples among `sequences` that start after an instant.
    mutating func remove(after instant: Double, in sequences: Set<Int64>) {
        let kept = records.indices.filter {
            records[$0].start <= instant || !sequences.contains(identities[$0].sequence)
        }
        guard kept.count < identities.count else { return }
        records = kept.map { records[$0] }
        identities = kept.map { identities[$0] }
    }

    mutating func removeAll() {
        records = []
        identities = []
    }

    /// The identities of the samples that are series of several quantities.
    var seriesIdentities: [StoredIdentity] {
        zip(records, identities).filter { member, _ in
            !member.metadata.isEmpty && member.metadata[MetadataKey.seriesCount] != nil
        }.map(\.1)
    }

    /// Returns the statistics of each quantity type, for the workout to store.
    ///
    /// - Parameters:
    ///   - isActivity: Whether to include only samples that start in the range, as an activity does.
    ///   - series: The quantities of series by the samples' sequences, which count instead of the samples.
    func statistics(
        from start: Double, to end: Double, isActivity: Bool, series: [Int64: QuantitySeries]
    ) -> [WorkoutBody.Statistics] {
        let included = records.indices.filter {
            !isActivity || (records[$0].start >= start && records[$0].start < end)
        }
        var statistics: [WorkoutBody.Statistics] = []
        for code in types(of: included).sorted() {
            let indices = included.filter { records[$0].type == code }
            var inner: [Int: QuantitySeries] = [:]
            if !series.isEmpty {
                for (place, index) in indices.enumerated() { inner[place] = series[identities[index].sequence] }
            }
            guard let type = TypeCatalog.description(for: code), type.kind == .quantity,
                let values = SampleAggregator.values(
                    of: indices.count == records.count ? records : indices.map { records[$0] }, type: type,
                    series: inner)
            else { continue }
            statistics.append(
                WorkoutBody.Statistics(
                    type: type.identifier, start: start, end: end, unit: type.canonicalUnit ?? "count", sum: values.sum,
                    average: values.average, minimum: values.minimum, maximum: values.maximum))
        }
        return statistics
    }
}

extension BuilderMembers {
    /// The samples of a zone's type, in the unit of its boundaries.
    func values(in zones: WorkoutZoneRecord) -> [WorkoutZoneProgress.Value] {
        guard let code = TypeCatalog.description(for: zones.type)?.code,
            let unit = HKUnit.parsed(zones.unit)
        else { return [] }
        var values: [WorkoutZoneProgress.Value] = []
        for member in records where member.type == code {
            var value = member.value
            if member.unit != zones.unit {
                guard let own = HKUnit.parsed(member.unit) else { continue }
                let quantity = HKQuantity(unit: own, doubleValue: value)
                guard quantity.is(compatibleWith: unit) else { continue }
                value = quantity.doubleValue(for: unit)
            }
            values.append(.init(start: member.start, end: member.end, value: value))
        }
        return values
    }
}
