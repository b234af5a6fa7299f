import HealthModel
import HealthStorage

/// The samples that were recorded with a workout, by the identifiers of their types.
struct RecordedSamples {
    private struct Measured {
        let type: TypeDescription
        let samples: [SampleRecord]
        let series: [Int: QuantitySeries]
    }

    private var types: [String: Measured] = [:]
    /// Whether the workout has links to the samples.
    private(set) var isLinked = false

    /// Reads the samples among the links of a workout. If there are none, as in Apple's archives, they are those of
    /// the same source within the workout's time of which it has statistics.
    init(
        of workout: StoredObject, _ body: WorkoutBody, _ links: [StoredLink], engine: HealthEngine,
        in transaction: any StorageTransaction
    ) throws {
        let dictionaries = try transaction.dictionaries()
        let reader = MemberReader(
            snapshot: transaction, dictionaries: dictionaries, identities: engine.identities)
        for code in Set(links.map(\.memberType)) {
            guard let type = dictionaries.type(code), type.kind.isPaged else { continue }
            let (samples, series) = try reader.figureMembers(of: workout.sequence, type: code)
            types[type.identifier] = Measured(type: type, samples: samples, series: series)
        }
        isLinked = !types.isEmpty
        guard !isLinked, let source = dictionaries.revision(workout.revision)?.source else { return }
        let filters: [SampleFilter] = [
            .source([source.bundleIdentifier]), .start(.greaterThanOrEqual, workout.start),
            .end(.lessThanOrEqual, workout.end),
        ]
        for identifier in Set((body.statistics + body.activities.flatMap(\.statistics)).map(\.type)) {
            guard let type = TypeCatalog.description(for: identifier), type.kind == .quantity else { continue }
            let request = SampleRequest(parts: [.init(type: type.code, filter: .and(filters))], columns: .sequences)
            let found = try engine.select(
                request, scope: [type.code: .everything], caller: .reader, in: transaction
            ).batches.flatMap(\.sequences)
            guard !found.isEmpty else { continue }
            let (samples, series) = try reader.figures(of: found.sorted(), type: type.code)
            types[identifier] = Measured(type: type, samples: samples, series: series)
        }
    }

    /// The number of samples.
    var count: Int { types.values.reduce(0) { $0 + $1.samples.count } }

    /// The sequences of the samples of which no part is within the times.
    func sequences(outside range: ClosedRange<Double>) -> Set<Int64> {
        var found: Set<Int64> = []
        for measured in types.values {
            for sample in measured.samples where !range.includes(sample.start, sample.end) {
                found.insert(sample.sequence)
            }
        }
        return found
    }

    /// Whether there are samples of a quantity type.
    func hasFigures(of type: String) -> Bool { types[type]?.type.kind == .quantity }

    /// The figures of the samples within the times, in a unit; `nil` if there are none.
    func figures(of type: String, in range: ClosedRange<Double>, unit: String) -> WorkoutBody.Statistics? {
        guard let measured = types[type],
            let converted = UnitConversion(between: measured.type.canonicalUnit ?? "count", and: unit)
        else { return nil }
        let rows = measured.samples.indices.filter {
            range.includes(measured.samples[$0].start, measured.samples[$0].end)
        }
        var series: [Int: QuantitySeries] = [:]
        for (place, row) in rows.enumerated() { series[place] = measured.series[row] }
        return SampleAggregator.values(
            of: rows.map { measured.samples[$0] }, type: measured.type, series: series
        ).map { values in
            WorkoutBody.Statistics(
                type: type, start: range.lowerBound, end: range.upperBound, unit: unit,
                sum: values.sum.map { converted($0) }, average: values.average.map { converted($0) },
                minimum: values.minimum.map { converted($0) }, maximum: values.maximum.map { converted($0) })
        }
    }
}

extension WorkoutBody {
    /// Fits events, activities and figures to other times.
    ///
    /// - Parameters:
    ///   - shift: The seconds by which events and activities are moved first.
    ///   - recording: The samples of which some are outside of the new times; `nil` if the figures stay.
    mutating func fit(
        from old: ClosedRange<Double>, to new: ClosedRange<Double>, shift: Double, recording: RecordedSamples?
    ) {
        let before = (activeTime(from: old.lowerBound, to: old.upperBound), events)
        events = before.1.compactMap { $0.fitted(to: new, shift: shift) }
        duration = Self.time(
            duration + activeTime(from: new.lowerBound, to: new.upperBound) - before.0, within: new)
        statistics = Self.fitted(statistics, to: new, recording)
        activities = activities.compactMap { $0.fitted(from: old, to: new, shift: shift, recording) }
        guard let recording else { return }
        zones = []
        fit(\.totalEnergyBurned, ["HKQuantityTypeIdentifierActiveEnergyBurned"], new, recording)
        fit(\.totalSwimmingStrokeCount, ["HKQuantityTypeIdentifierSwimmingStrokeCount"], new, recording)
        fit(\.totalFlightsClimbed, ["HKQuantityTypeIdentifierFlightsClimbed"], new, recording)
        let distances = Self.distanceTypes(of: activityType).filter(recording.hasFigures)
        fit(\.totalDistance, isMultisport ? distances : Array(distances.prefix(1)), new, recording)
    }

    /// Adds a total up from the samples that are left, if it was measured by samples.
    private mutating func fit(
        _ total: WritableKeyPath<WorkoutBody, QuantityRecord?>, _ types: [String], _ range: ClosedRange<Double>,
        _ recording: RecordedSamples
    ) {
        guard let unit = self[keyPath: total]?.unit, types.contains(where: recording.hasFigures) else { return }
        let parts = types.compactMap { recording.figures(of: $0, in: range, unit: unit)?.sum }
        self[keyPath: total] = parts.isEmpty ? nil : QuantityRecord(parts.reduce(0, +), unit: unit)
    }

    /// A duration without pauses, at most all of the time.
    fileprivate static func time(_ seconds: Double, within range: ClosedRange<Double>) -> Double {
        max(0, min(range.upperBound - range.lowerBound, seconds))
    }

    fileprivate static func fitted(
        _ statistics: [Statistics], to range: ClosedRange<Double>, _ recording: RecordedSamples?
    ) -> [Statistics] {
        statistics.compactMap { figures in
            if let recording, recording.hasFigures(of: figures.type) {
                return recording.figures(of: figures.type, in: range, unit: figures.unit)
            }
            var kept = figures
            (kept.start, kept.end) = (range.lowerBound, range.upperBound)
            return kept
        }
    }
}

extension WorkoutBody.Activity {
    /// The activity in a workout of other times; `nil` if it is outside of them.
    fileprivate func fitted(
        from old: ClosedRange<Double>, to new: ClosedRange<Double>, shift: Double, _ recording: RecordedSamples?
    ) -> WorkoutBody.Activity? {
        let before = start...max(start, end ?? old.upperBound)
        let (isFirst, isLast) = (before.lowerBound == old.lowerBound, before.upperBound == old.upperBound)
        let first = isFirst ? new.lowerBound : max(before.lowerBound + shift, new.lowerBound)
        let last = isLast ? new.upperBound : min(before.upperBound + shift, new.upperBound)
        guard first <= last else { return nil }
        var activity = self
        (activity.start, activity.end) = (first, end == nil && last == new.upperBound ? nil : last)
        activity.events = events.compactMap { $0.fitted(to: first...last, shift: shift) }
        func active(_ events: [WorkoutBody.Event], _ range: ClosedRange<Double>) -> Double {
            WorkoutBody(activityType: activityType, duration: 0, events: events).activeTime(
                from: range.lowerBound, to: range.upperBound)
        }
        activity.duration = WorkoutBody.time(
            duration + active(activity.events, first...last) - active(events, before), within: first...last)
        activity.statistics = WorkoutBody.fitted(statistics, to: first...last, recording)
        return activity
    }
}

extension WorkoutBody.Event {
    /// The event, moved and cut; `nil` if it is outside of the times.
    fileprivate func fitted(to range: ClosedRange<Double>, shift: Double) -> WorkoutBody.Event? {
        var event = self
        (event.start, event.end) = (start + shift, end + shift)
        guard range.includes(event.start, event.end) else { return nil }
        (event.start, event.end) = (max(event.start, range.lowerBound), min(event.end, range.upperBound))
        return event
    }
}

extension ClosedRange<Double> {
    /// Whether an instant, or a part of a time, is within the range.
    fileprivate func includes(_ start: Double, _ end: Double) -> Bool {
        start == end ? contains(start) : start < upperBound && end > lowerBound
    }
}
