import HealthEngine
import HealthFiles
import HealthModel

/// The fields that sum up a session, its laps and its lengths, as ``FITSession``, ``FITEvents`` and ``FITLengths`` read
/// them.
struct FITSessionFields {
    typealias Fields = [(number: UInt8, value: FITValue?)]

    /// A lap: what is between two presses of the button, or what is left at the end.
    struct Lap {
        var figures: WorkoutTrack.Lap
        var isRest: Bool
    }

    let track: WorkoutTrack
    let sport: FITSport
    let laps: [Lap]
    /// The lengths of a swim in a pool; with them, laps are segments.
    let lengths: [WorkoutBody.Event]
    let segments: [WorkoutBody.Event]
    private let poolLength: Double?
    /// The whole workout of several sessions.
    private let metadata: [Metadata]

    init(_ track: WorkoutTrack, of whole: WorkoutTrack) {
        self.track = track
        let activity = track.workout?.activities.first
        let metadata = [track.metadata, activity?.metadata ?? .empty] + (whole.legs.isEmpty ? [] : [whole.metadata])
        self.metadata = metadata
        func number(_ key: String) -> Double? { Self.entry(key, metadata)?.number }
        let raw = track.workout?.activityType ?? 3_000
        let isIndoor = number("HKIndoorWorkout").map { $0 != 0 } ?? (activity?.locationType == 2)
        let water = number("HKSwimmingLocationType").map { Int($0) } ?? activity?.swimmingLocationType ?? 0
        let length = Self.quantity("HKLapLength", "m", metadata) ?? activity?.lapLength?.converted(to: "m")
        let isPool = raw == 46 && (water == 1 || water != 2 && length != nil)
        poolLength = isPool ? length : nil
        sport = FITSport(
            activity: raw, raw == 46 ? (isPool ? .pool : water == 2 ? .openWater : nil) : isIndoor ? .indoor : nil)
        // A watch may write two lengths of a drill with the same times, so equal events aren't one.
        var events = track.workout?.events ?? []
        if !whole.legs.isEmpty {
            let known = Set(whole.legs.flatMap { $0.workout?.events ?? [] })
            events += (whole.workout?.events ?? []).filter { !known.contains($0) }
        }
        func own(_ type: Int) -> [WorkoutBody.Event] {
            events.filter { $0.type == type && $0.start >= track.start && $0.start < track.end }
                .sorted { $0.start < $1.start }
        }
        lengths = isPool ? own(WorkoutTrack.lapEvent).filter { $0.end > $0.start } : []
        segments = lengths.isEmpty ? own(WorkoutTrack.segmentEvent) : []
        let type = lengths.isEmpty ? WorkoutTrack.lapEvent : WorkoutTrack.segmentEvent
        let pressed = own(type)
        laps = track.laps(track.lapBounds(type: type), needDistance: false).map { lap in
            let middle = (lap.start + lap.end) / 2
            let isPressed = pressed.contains { event in
                event.end > event.start
                    ? event.start < middle && event.end > middle : abs(event.start - lap.end) < 1
            }
            return Lap(figures: lap, isRest: !isPressed)
        }
    }

    /// The seconds without pauses.
    var activeTime: Double { track.workout?.duration ?? track.end - track.start }

    func fields(_ index: Int, firstLap: Int, laps count: Int) -> Fields {
        typealias Names = FITField.Session
        let first = track.segments.first?.locations.first
        let rates = statistics([MeasuredType.heartRate.identifier], "count/min", track.heartRates)
        let powers = statistics(
            [MeasuredType.cyclingPower.identifier, MeasuredType.runningPower.identifier], "W", track.powers)
        let cadences = statistics([MeasuredType.cyclingCadence.identifier], "count/min", track.cadences)
        let speed = MeasuredType.speed(of: track.workout?.activityType ?? 0)
        let speeds = speed.map { statistics([$0.identifier], "m/s", track.speeds, isWhole: false) }
        func stride(_ type: MeasuredType, _ unit: String, _ field: UInt8) -> FITValue? {
            statistics([type.identifier], unit, track.dynamics[field] ?? PiecewiseConstantSeries(), isWhole: false)
                .average
        }
        let averageSpeed = Self.quantity("HKAverageSpeed", "m/s", metadata)
        let meters = track.totalMeters
        return [
            (Names.messageIndex, .integer(Int64(index))), (FITField.timestamp, .integer(track.second(track.end))),
            (Names.event, .integer(FITValueNumber.Event.session)),
            (Names.eventType, .integer(FITValueNumber.EventType.stop)),
            (Names.startTime, .integer(track.second(track.start))),
            (Names.startPositionLat, Self.degrees(first?.latitude)),
            (Names.startPositionLong, Self.degrees(first?.longitude)), (Names.sport, .integer(sport.sport)),
            (Names.subSport, .integer(sport.subSport ?? 0)), (Names.totalElapsedTime, .real(track.end - track.start)),
            (Names.totalTimerTime, .real(activeTime)), (Names.totalDistance, hasDistance ? .real(meters) : nil),
            (Names.totalCycles, strokes.map { .real($0) }), (Names.totalCalories, track.kilocalories.map { .real($0) }),
            (Names.avgHeartRate, rates.average), (Names.maxHeartRate, rates.maximum),
            (Names.minHeartRate, rates.minimum), (Names.avgCadence, cadences.average),
            (Names.maxCadence, cadences.maximum), (Names.avgPower, powers.average), (Names.maxPower, powers.maximum),
            (
                Names.enhancedAvgSpeed,
                (averageSpeed ?? (hasDistance && activeTime > 0 ? meters / activeTime : nil)).map { .real($0) }
            ),
            (
                Names.enhancedMaxSpeed,
                Self.quantity("HKMaximumSpeed", "m/s", metadata).map { .real($0) } ?? speeds?.maximum
            ),
            (Names.avgStepLength, stride(.strideLength, "mm", FITField.Record.stepLength)),
            (Names.avgStanceTime, stride(.groundContact, "ms", FITField.Record.stanceTime)),
            (Names.avgVerticalOscillation, stride(.oscillation, "mm", FITField.Record.verticalOscillation)),
            (Names.totalAscent, Self.quantity("HKElevationAscended", "m", metadata).map { .real($0) }),
            (Names.totalDescent, Self.quantity("HKElevationDescended", "m", metadata).map { .real($0) }),
            (Names.firstLapIndex, .integer(Int64(firstLap))), (Names.numLaps, .integer(Int64(count))),
            (Names.trigger, .integer(0)), (Names.poolLength, poolLength.map { .real($0) }),
            (Names.numLengths, lengths.isEmpty ? nil : .integer(Int64(lengths.count))),
            (Names.sportProfileName, track.workout == nil ? nil : .text(track.words)),
        ]
    }

    func lap(_ lap: Lap, _ index: Int) -> Fields {
        typealias Names = FITField.Lap
        let figures = lap.figures
        let rates = measured(track.heartRates, in: figures)
        let powers = measured(track.powers, in: figures)
        let trigger = lap.isRest ? FITValueNumber.LapTrigger.sessionEnd : FITValueNumber.LapTrigger.manual
        return [
            (Names.messageIndex, .integer(Int64(index))), (FITField.timestamp, .integer(track.second(figures.end))),
            (Names.event, .integer(lap.isRest ? FITValueNumber.Event.session : FITValueNumber.Event.lap)),
            (Names.eventType, .integer(FITValueNumber.EventType.stop)),
            (Names.startTime, .integer(track.second(figures.start))),
            (Names.totalElapsedTime, .real(figures.end - figures.start)),
            (Names.totalTimerTime, .real(min(max(0, figures.duration), figures.end - figures.start))),
            (Names.totalDistance, figures.meters > 0 || !track.distances.isEmpty ? .real(figures.meters) : nil),
            (Names.totalCalories, track.kilocalories == nil ? nil : .integer(Int64(figures.kilocalories))),
            (Names.avgHeartRate, rates.average), (Names.maxHeartRate, rates.maximum), (Names.avgPower, powers.average),
            (Names.maxPower, powers.maximum), (Names.lapTrigger, .integer(trigger)),
            (Names.sport, .integer(sport.sport)),
            (Names.subSport, .integer(sport.subSport ?? 0)),
        ]
    }

    func length(_ length: WorkoutBody.Event, _ index: Int) -> Fields {
        typealias Names = FITField.Length
        let style = length.metadata["HKSwimmingStrokeStyle"]?.number
        let stroke = FITValueNumber.SwimStroke.healthKit.filter { Double($0.value) == style }.keys.min()
        let strokes = track.strokes.sum(until: length.end) - track.strokes.sum(until: length.start)
        return [
            (Names.messageIndex, .integer(Int64(index))), (FITField.timestamp, .integer(track.second(length.end))),
            (Names.event, .integer(FITValueNumber.Event.length)),
            (Names.eventType, .integer(FITValueNumber.EventType.stop)),
            (Names.startTime, .integer(track.second(length.start))),
            (Names.totalElapsedTime, .real(length.end - length.start)),
            (Names.totalTimerTime, .real(length.end - length.start)),
            (Names.totalStrokes, strokes > 0 ? .real(strokes) : nil),
            (Names.swimStroke, stroke.map { .integer($0) }),
            (Names.lengthType, .integer(FITValueNumber.LengthType.active)),
        ]
    }

    // MARK: - Figures

    private typealias Figures = (average: FITValue?, minimum: FITValue?, maximum: FITValue?)

    private var hasDistance: Bool { track.totalMeters > 0 || !track.distances.isEmpty }

    private var strokes: Double? {
        guard track.workout?.activityType == 46 else { return nil }
        return track.workout?.totalSwimmingStrokeCount?.converted(to: "count")
            ?? (track.strokes.isEmpty ? nil : track.strokes.sum(until: track.end))
    }

    /// The workout's own figures of a type, else those of what was measured.
    private func statistics(
        _ identifiers: [String], _ unit: String, _ quantities: PiecewiseConstantSeries, isWhole: Bool = true
    ) -> Figures {
        guard let own = track.workout?.statistics.first(where: { identifiers.contains($0.type) }) else {
            return measured(quantities, in: nil, isWhole: isWhole)
        }
        func value(_ number: Double?) -> FITValue? {
            number.flatMap { QuantityRecord($0, unit: own.unit).converted(to: unit) }
                .map { .real(isWhole ? $0.rounded() : $0) }
        }
        return (value(own.average), value(own.minimum), value(own.maximum))
    }

    private func measured(_ quantities: PiecewiseConstantSeries, in lap: WorkoutTrack.Lap?, isWhole: Bool = true)
        -> Figures
    {
        let series = quantities.series
        let values = (0..<series.count).filter { index in
            let start = series.starts[index]
            let isIn =
                lap.map { start >= $0.start && (start < $0.end || $0.end == track.end && start == $0.end) } ?? true
            return isIn && track.stretch(of: start) != nil
        }.map { series.values[$0] }
        guard let minimum = values.min(), let maximum = values.max() else { return (nil, nil, nil) }
        let average = values.reduce(0, +) / Double(values.count)
        let figures = [average, minimum, maximum].map { FITValue.real(isWhole ? $0.rounded() : $0) }
        return (figures[0], figures[1], figures[2])
    }

    static func degrees(_ value: Double?) -> FITValue? { value.map { .integer(Int64(($0 / 180 * 0x1p31).rounded())) } }

    private static func entry(_ key: String, _ metadata: [Metadata]) -> MetadataValue? {
        metadata.lazy.compactMap { $0[key] }.first
    }

    private static func quantity(_ key: String, _ unit: String, _ metadata: [Metadata]) -> Double? {
        guard case .quantity(let value, let written)? = entry(key, metadata) else { return nil }
        return QuantityRecord(value, unit: written).converted(to: unit)
    }
}
