import HealthFiles
import HealthModel

/// The lengths of a swim in a pool.
struct FITLengths {
    /// A lap for each length that was swum, with its stroke style.
    private(set) var events: [WorkoutBody.Event] = []
    /// The strokes and the distance of each length.
    private(set) var samples: [SampleRecord] = []

    init(_ messages: FITMessages, _ origin: FITOrigin, _ maker: SampleOrigin, in session: FITSession) {
        typealias Names = FITField.Length
        guard session.isPool else { return }
        let drills = Self.drills(messages, origin, pool: session.poolLength ?? 0)
        for length in messages[FITMessageNumber.length] {
            guard length.integer(Names.lengthType) != FITValueNumber.LengthType.idle,
                let start = origin.date(length, Names.startTime), session.contains(start),
                let elapsed = length.number(Names.totalElapsedTime), elapsed > 0
            else { continue }
            let end = start + elapsed
            var metadata = Metadata()
            let style = length.integer(Names.swimStroke).flatMap { FITValueNumber.SwimStroke.healthKit[$0] }
            metadata.set("HKSwimmingStrokeStyle", style.map { .integer($0) })
            events.append(.init(type: 3, start: start, end: min(end, session.end), metadata: metadata))
            if let strokes = length.number(Names.totalStrokes), strokes > 0 {
                samples.append(maker.quantity(.strokes, strokes, start, end, metadata: metadata))
            }
            let isDrill = length.integer(Names.swimStroke) == FITValueNumber.SwimStroke.drill
            if let distance = isDrill ? drills[start] ?? session.poolLength : session.poolLength,
                let type = MeasuredType.distance(of: session.sport.activity)
            {
                samples.append(maker.quantity(type, distance, start, end))
            }
        }
    }

    /// The meters of drills by their start. A drill is one length, however far it went: only its lap has the distance.
    private static func drills(_ messages: FITMessages, _ origin: FITOrigin, pool: Double) -> [Double: Double] {
        typealias Names = FITField.Length
        let lengths = messages[FITMessageNumber.length].filter {
            $0.integer(Names.lengthType) != FITValueNumber.LengthType.idle
        }.compactMap { length in
            origin.date(length, Names.startTime).map {
                (start: $0, isDrill: length.integer(Names.swimStroke) == FITValueNumber.SwimStroke.drill)
            }
        }.sorted { $0.start < $1.start }
        let laps = messages[FITMessageNumber.lap].compactMap { lap in
            origin.date(lap, FITField.Lap.startTime).map {
                (start: $0, meters: lap.number(FITField.Lap.totalDistance) ?? 0)
            }
        }.sorted { $0.start < $1.start }
        var result: [Double: Double] = [:]
        var rest = lengths[...]
        for (place, lap) in laps.enumerated() {
            let end = place + 1 < laps.count ? laps[place + 1].start : .infinity
            rest = rest.drop { $0.start < lap.start }
            let own = rest.prefix { $0.start < end }
            let drills = own.filter(\.isDrill)
            let meters = lap.meters - Double(own.count - drills.count) * pool
            if meters > 0 { for drill in drills { result[drill.start] = meters / Double(drills.count) } }
        }
        return result
    }
}
