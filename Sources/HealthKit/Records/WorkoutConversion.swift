import Foundation
import HealthEngine
import HealthModel
import HealthStorage

// Workouts ⇄ records, and the samples of a workout.

extension HKWorkout.Fields {
    init(_ body: WorkoutBody) {
        self.init(
            activityType: body.activityType, duration: body.duration,
            totalEnergyBurned: body.totalEnergyBurned.map { QuantityFields($0) },
            totalDistance: body.totalDistance.map { QuantityFields($0) },
            totalSwimmingStrokeCount: body.totalSwimmingStrokeCount.map { QuantityFields($0) },
            totalFlightsClimbed: body.totalFlightsClimbed.map { QuantityFields($0) },
            events: body.events.map { .init($0) }, activities: body.activities.map { .init($0) },
            statistics: body.statistics.map { WorkoutStatistics($0) },
            archived: ArchivedContent(elements: body.archivedWithoutZones),
            zones: body.zones.map { WorkoutZoneTimes($0) })
    }

    var body: WorkoutBody {
        var body = WorkoutBody(
            activityType: activityType, duration: duration, totalEnergyBurned: totalEnergyBurned?.record,
            totalDistance: totalDistance?.record, totalSwimmingStrokeCount: totalSwimmingStrokeCount?.record,
            totalFlightsClimbed: totalFlightsClimbed?.record, events: events.map(\.record),
            activities: activities.map(\.record), statistics: statistics.map(\.record),
            archived: archived.elements)
        if !zones.isEmpty { body.zones = zones.map(\.record) }
        return body
    }

    /// Applies the store's rules for workouts.
    func validate(start: Double, end: Double) throws(ValidationError) {
        let type = HKObjectType.workoutType()
        try RecordValidation.validate(
            ObjectRecord(type: type.code, start: start, end: end, body: .workout(body)),
            description: type.typeDescription)
    }
}

extension HKWorkoutEvent.Fields {
    init(_ record: WorkoutBody.Event) {
        self.init(
            type: record.type, start: record.start, end: record.end,
            metadata: MetadataDictionary(record.metadata))
    }

    var record: WorkoutBody.Event {
        WorkoutBody.Event(type: type, start: start, end: end, metadata: metadata.metadata)
    }
}

extension HKWorkoutActivity.Fields {
    init(_ record: WorkoutBody.Activity) {
        self.init(
            uuid: record.uuid, activityType: record.activityType, locationType: record.locationType,
            swimmingLocationType: record.swimmingLocationType,
            lapLength: record.lapLength.map { QuantityFields($0) }, start: record.start, end: record.end,
            duration: record.duration, events: record.events.map { .init($0) },
            statistics: record.statistics.map { WorkoutStatistics($0) },
            metadata: MetadataDictionary(record.metadata))
    }

    var record: WorkoutBody.Activity {
        WorkoutBody.Activity(
            uuid: uuid, activityType: activityType, locationType: locationType,
            swimmingLocationType: swimmingLocationType, lapLength: lapLength?.record, start: start, end: end,
            duration: duration, events: events.map(\.record), statistics: statistics.map(\.record),
            metadata: metadata.metadata)
    }
}

extension WorkoutStatistics {
    init(_ record: WorkoutBody.Statistics) {
        self.init(
            type: record.type, start: record.start, end: record.end, unit: record.unit, sum: record.sum,
            average: record.average, minimum: record.minimum, maximum: record.maximum)
    }

    var record: WorkoutBody.Statistics {
        WorkoutBody.Statistics(
            type: type, start: start, end: end, unit: unit, sum: sum, average: average, minimum: minimum,
            maximum: maximum)
    }
}

extension QuantityFields {
    init(_ record: QuantityRecord) {
        self.init(value: record.value, unit: record.unit)
    }

    var record: QuantityRecord { QuantityRecord(value, unit: unit) }
}

/// Elements of an imported workout that this version does not interpret, kept for an export.
struct ArchivedContent: Hashable, Sendable {
    var elements: [ArchivedElement] = []
}

extension SampleBase {
    /// Returns the base of a new workout. Invalid dates, events and metadata end the process.
    static func checked(
        newWorkout fields: HKWorkout.Fields, start: Date, end: Date, device: HKDevice?,
        metadata: [String: Any]?, file: StaticString = #fileID, line: UInt = #line
    ) -> SampleBase {
        checked(
            new: .workoutType(), start: start, end: end, device: device, metadata: metadata,
            body: .workout(fields.body), file: file, line: line)
    }
}

extension ObjectArchive {
    /// Returns the workout in an archive; `nil` for a damaged archive and for one of another family.
    static func workout(
        from coder: NSCoder
    ) -> (base: SampleBase, fields: HKWorkout.Fields, members: WorkoutMembers)? {
        guard let archive = SecureRecord.decode(ObjectArchive.self, from: coder),
            case .object(let record) = archive.item, case .workout(let body) = record.body,
            let base = archive.base(of: record), base.context.type is HKWorkoutType
        else { return nil }
        return (base, HKWorkout.Fields(body), WorkoutMembers(record.members))
    }
}

// MARK: - Samples of a workout

/// The quantity and category samples of a workout. Kept as records, because a workout may have thousands of
/// samples and few applications look at its statistics.
struct WorkoutMembers: Hashable, Sendable {
    fileprivate(set) var records: [SampleRecord]

    init(_ records: [SampleRecord] = []) {
        self.records = records
    }

    /// Returns the samples that start in a half-open range.
    func starting(from start: Double, before end: Double) -> WorkoutMembers {
        WorkoutMembers(records.filter { $0.start >= start && $0.start < end })
    }
}

// In an archive they are a list.
extension WorkoutMembers: Codable {
    init(from decoder: any Decoder) throws {
        self.init(try [SampleRecord](from: decoder))
    }

    func encode(to encoder: any Encoder) throws {
        try records.encode(to: encoder)
    }
}

/// The statistics of a workout, of an activity or of a builder.
struct WorkoutStatisticsSource {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    /// Statistics that are stored with the workout.
    var stored: [WorkoutStatistics]
    /// The samples the other statistics are computed from.
    var members: WorkoutMembers

    /// The statistics of every type that has any.
    var all: [HKQuantityType: HKStatistics] {
        var identifiers = Set(stored.map(\.type))
        for code in Set(members.records.map(\.type)) {
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
        let samples =
            members.records.contains(where: isOther) ? members.records.filter { !isOther($0) } : members.records
        let values = SampleAggregator.values(of: samples, type: description)
        if let found = stored.first(where: { $0.type == type.identifier }), HKUnit.parsed(found.unit) != nil {
            var figures = HKStatistics.Figures(
                sum: found.sum, average: found.average, minimum: found.minimum, maximum: found.maximum)
            // What is not stored is computed from the samples, in the canonical unit.
            if found.unit == description.canonicalUnit, let values {
                let computed = HKStatistics.Figures(values)
                figures.mostRecent = computed.mostRecent
                figures.duration = computed.duration
            }
            return statistics(figures, of: type, from: found.start, to: found.end, unit: found.unit)
        }
        return values.map {
            statistics(
                HKStatistics.Figures($0), of: type, from: start, to: end, unit: description.canonicalUnit ?? "count")
        }
    }

    private func statistics(
        _ figures: HKStatistics.Figures, of type: HKQuantityType, from start: Double, to end: Double, unit: String
    ) -> HKStatistics {
        HKStatistics(
            quantityType: type, startDate: Date(timeIntervalSinceReferenceDate: start),
            endDate: Date(timeIntervalSinceReferenceDate: end), unit: unit, figures: figures)
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
    private(set) var members = WorkoutMembers()
    private(set) var identities: [StoredIdentity] = []
    private var known: Set<Int64> = []

    /// The latest end of the samples, at least `start`.
    func lastEnd(from start: Double) -> Double {
        members.records.reduce(start) { max($0, $1.end) }
    }

    /// Adds samples; known ones are ignored. Returns the types of the others.
    mutating func append(_ samples: StoredSamples) -> Set<HKSampleType> {
        var codes: Set<TypeCode> = []
        for (record, identity) in zip(samples.records, samples.identities)
        where known.insert(identity.sequence).inserted {
            members.records.append(record)
            identities.append(identity)
            codes.insert(record.type)
        }
        return Set(
            codes.compactMap { code in
                TypeCatalog.description(for: code).flatMap { HKSampleType.described(by: $0) }
            })
    }

    /// Removes the samples among `sequences` that start after an instant.
    mutating func remove(after instant: Double, in sequences: Set<Int64>) {
        let kept = members.records.indices.filter {
            members.records[$0].start <= instant || !sequences.contains(identities[$0].sequence)
        }
        guard kept.count < identities.count else { return }
        members.records = kept.map { members.records[$0] }
        identities = kept.map { identities[$0] }
    }

    mutating func removeAll() {
        members = WorkoutMembers()
        identities = []
    }

    /// The identities of the samples that are series of several quantities.
    var seriesIdentities: [StoredIdentity] {
        zip(members.records, identities).filter { member, _ in
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
    ) -> [WorkoutStatistics] {
        let records = members.records
        var groups: [TypeCode: [Int]] = [:]
        for (index, member) in records.enumerated()
        where !isActivity || (member.start >= start && member.start < end) {
            groups[member.type, default: []].append(index)
        }
        var statistics: [WorkoutStatistics] = []
        for (code, indices) in groups.sorted(by: { $0.key < $1.key }) {
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
                WorkoutStatistics(
                    type: type.identifier, start: start, end: end, unit: type.canonicalUnit ?? "count",
                    sum: values.sum, average: values.average, minimum: values.minimum,
                    maximum: values.maximum))
        }
        return statistics
    }
}
