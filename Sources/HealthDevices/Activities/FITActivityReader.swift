import Foundation
import HealthFiles
import HealthModel

/// Makes workouts of the sessions of an activity.
struct FITActivityReader {
    /// A file has a session for each sport of a day; more would take long to divide the records among.
    private static let maximumSessions = 1_000

    private let messages: FITMessages
    private let origin: FITOrigin
    private let samples: SampleOrigin
    private let records: FITRecords
    private let distances: FITDistances
    private let sessions: [FITSession]
    private let leftOutSessions: Int
    private let untimedSessions: Int
    private let events: FITEvents
    private let weight: Double?

    init(_ messages: FITMessages, _ origin: FITOrigin) {
        self.messages = messages
        self.origin = origin
        samples = SampleOrigin(revision: origin.revision, device: origin.device)
        records = FITRecords(messages, origin, samples)
        let written = messages[FITMessageNumber.session]
        var found = written.compactMap { FITSession($0, origin) }.sorted { $0.start < $1.start }
        var untimed = written.count - found.count
        if found.isEmpty, let session = Self.unfinished(messages, origin) {
            found = [session]
            if session.message != nil { untimed = 0 }
        }
        untimedSessions = untimed
        leftOutSessions = max(0, found.count - Self.maximumSessions)
        sessions = FITSessionSpans.fit(
            Array(found.prefix(Self.maximumSessions)), to: FITSessionSpans.moments(records, messages, origin))
        distances = records.distances(of: sessions)
        events = FITEvents(messages, origin)
        weight = messages[FITMessageNumber.userProfile].compactMap { $0.number(FITField.UserProfile.weight) }.first
    }

    /// The session of a file that ends before it, or whose only one has no time, from what was recorded.
    private static func unfinished(_ messages: FITMessages, _ origin: FITOrigin) -> FITSession? {
        let recorded = messages[FITMessageNumber.record] + messages[FITMessageNumber.lap]
        let dates = recorded.compactMap { origin.date($0) }
        guard let start = dates.min(), let end = dates.max(), end > start else { return nil }
        let sessions = messages[FITMessageNumber.session]
        let session = sessions.count == 1 ? sessions[0] : nil
        let lap = messages[FITMessageNumber.lap].first
        let sport = messages[FITMessageNumber.sport].first
        return FITSession(
            session,
            FITSport(
                sport: session?.integer(FITField.Session.sport) ?? sport?.integer(FITField.Sport.sport)
                    ?? lap?.integer(FITField.Lap.sport),
                subSport: session?.integer(FITField.Session.subSport) ?? sport?.integer(FITField.Sport.subSport)
                    ?? lap?.integer(FITField.Lap.subSport)), start, end)
    }

    /// Adds the workouts with their samples and routes.
    func read(into content: inout FileContent) {
        let isMultisport = WorkoutBody.isMultisport(Set(sessions.map(\.sport.activity)))
        let groups = isMultisport ? [sessions] : sessions.map { [$0] }
        for group in groups { add(group, &content) }
        if untimedSessions > 0 { content.leaveOut("session without a time", count: untimedSessions) }
        if leftOutSessions > 0 { content.leaveOut("session", count: leftOutSessions) }
        let sets = messages[FITMessageNumber.set].count { set in
            !sessions.contains { session in
                [FITField.Set.startTime, FITField.Set.timestamp].contains {
                    origin.date(set, $0).map(session.contains) ?? false
                }
            }
        }
        if sets > 0 { content.leaveOut("set outside of every session", count: sets) }
        let outside = records.count(outside: sessions)
        if outside > 0 { content.leaveOut("record outside of every session", count: outside) }
        for (name, count) in records.leftOut { content.leaveOut(name, count: count) }
    }

    private func add(_ group: [FITSession], _ content: inout FileContent) {
        var group = group
        let (start, end) = (group[0].start, group.map(\.end).max() ?? group[0].end)
        var members: [SampleRecord] = []
        var series: [TypeCode: SampleSeries] = [:]
        var route: [Int] = []
        var activities: [WorkoutBody.Activity] = []
        for (place, session) in group.enumerated() {
            // A record at the moment when the sport changes belongs to the next one.
            let next = sessions.first { $0.start > session.start }?.start ?? .infinity
            let last = min(session.end, next.nextDown)
            let part = FITSession(session.message, session.sport, session.start, last)
            group[place].recordedDistance = distances.total(of: part)
            let lengths = FITLengths(messages, origin, samples, in: part)
            var leftOut: [String: Int] = [:]
            records.addSamples(
                of: part, events, lengths.samples.isEmpty ? distances : nil, to: &series, leftOut: &leftOut)
            for (name, count) in leftOut { content.leaveOut(name, count: count) }
            members += lengths.samples
            if let type = MeasuredType.distance(of: session.sport.activity),
                !lengths.samples.contains(where: { $0.type == type.code }),
                series[type.code]?.starts.last ?? -.infinity < part.start
            {
                members += sums(
                    type, session.distance, of: part, FITField.Session.totalDistance, FITField.Lap.totalDistance)
            }
            members += sums(
                .activeEnergy, session.energy, of: part, FITField.Session.totalCalories, FITField.Lap.totalCalories)
            let points = records.points(in: part)
            // The places of a virtual ride are those of a game.
            if session.isIndoor, !points.isEmpty {
                content.leaveOut("place of an indoor workout", count: points.count)
            } else {
                route += points
            }
            var activity = WorkoutBody.Activity(
                uuid: FileContent.identity("\(origin.revision.source.bundleIdentifier) \(session.start) \(place)"),
                activityType: session.sport.activity, start: session.start, end: session.end,
                duration: activeTime(of: session), events: events(of: part, lengths),
                statistics: group[place].statistics, metadata: session.metadata(weight: weight))
            activity.locationType = session.isIndoor || session.isPool ? 2 : points.isEmpty ? 1 : 3
            if session.sport.activity == 46 {
                activity.swimmingLocationType = session.isPool ? 1 : session.sport.place == .openWater ? 2 : 0
                activity.lapLength = session.poolLength.map { QuantityRecord($0, unit: "m") }
            }
            activities.append(activity)
        }
        var body = WorkoutBody(
            activityType: group.count > 1 ? WorkoutBody.multisport : group[0].sport.activity,
            duration: activities.reduce(0) { $0 + $1.duration }, activities: activities)
        body.events = activities.flatMap(\.events)
        func total(_ figure: (FITSession) -> Double?, _ unit: String) -> QuantityRecord? {
            let figures = group.compactMap(figure)
            return figures.isEmpty ? nil : QuantityRecord(figures.reduce(0, +), unit: unit)
        }
        body.totalEnergyBurned = total(\.energy, "kcal")
        body.totalDistance = total(\.distance, "m")
        body.totalSwimmingStrokeCount = total(\.strokes, "count")
        body.statistics = group.count == 1 ? group[0].statistics : []
        let owner = content.append(
            samples.object(
                "HKWorkoutTypeIdentifier", start, end, metadata: metadata(of: group), .workout(body),
                members: members), series.values)
        if let route = records.route(of: route) { content.parts.append((owner, route)) }
        if let beats = FITBeats(messages, origin, from: start, to: end) {
            content.parts.append(
                (
                    owner,
                    samples.object(
                        "HKDataTypeIdentifierHeartbeatSeries", beats.start, beats.end,
                        .document(DocumentBody(series: beats.series)))
                ))
        }
    }

    private func metadata(of group: [FITSession]) -> Metadata {
        var metadata = group.count == 1 ? group[0].metadata(weight: weight) : Metadata()
        let activity = messages[FITMessageNumber.activity].first
        if let offset = activity.flatMap({ FITOrigin.localOffset($0, FITField.Activity.localTimestamp) }),
            let zone = TimeZone(secondsFromGMT: Int(offset))
        {
            metadata.entries.append(.init(key: MetadataKey.timeZone, value: .string(zone.identifier)))
        }
        metadata.entries.append(.init(key: "HKWorkoutBrandName", value: .string(origin.manufacturer)))
        return metadata
    }

    private func activeTime(of session: FITSession) -> Double {
        session.message == nil ? events.activeTime(from: session.start, to: session.end) : session.activeTime
    }

    private func events(of session: FITSession, _ lengths: FITLengths) -> [WorkoutBody.Event] {
        // The lengths of a pool are the laps of a swim, so a lap of the device is a segment.
        let laps = FITEvents.laps(messages, origin, in: session, type: lengths.events.isEmpty ? 3 : 7)
        let segments = FITEvents.laps(messages, origin, in: session, of: FITMessageNumber.segmentLap, type: 7)
        let sets = FITSets.events(messages, origin, in: session)
        return (events.pauses(from: session.start, to: session.end) + laps + segments + sets + lengths.events)
            .sorted { ($0.start, $0.end, $0.type) < ($1.start, $1.end, $1.type) }
    }

    /// A sum: by lap if the laps have all of it, otherwise of the whole session.
    private func sums(
        _ type: MeasuredType, _ sum: Double?, of session: FITSession, _ field: UInt8, _ lapField: UInt8
    ) -> [SampleRecord] {
        guard let sum, sum > 0, session.end > session.start else { return [] }
        let laps = messages[FITMessageNumber.lap].compactMap {
            lap -> (Double, Double, Double?)? in
            guard let start = origin.date(lap, FITField.Lap.startTime), session.contains(start),
                let elapsed = lap.number(FITField.Lap.totalElapsedTime), elapsed > 0
            else { return nil }
            return (start, start + elapsed, lap.number(lapField))
        }
        let written = laps.reduce(0) { $0 + ($1.2 ?? .nan) }
        guard laps.count > 1, let total = session.number(field), abs(written - total) <= total / 1_000 else {
            return [samples.quantity(type, sum, session.start, session.end)]
        }
        return laps.compactMap { start, end, part in
            guard let part, part > 0 else { return nil }
            return samples.quantity(type, part * sum / written, start, end)
        }
    }
}
