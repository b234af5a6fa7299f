import Foundation
import HealthEngine
import HealthFormats
import HealthModel
import HealthStorageFiles

/// Writes a workout as the activity of a FIT file, of which ``FITActivityReader`` makes the same workout.
///
/// The format counts whole seconds. Instants are rounded down, durations are exact.
struct FITActivityWriter {
    private let track: WorkoutTrack
    private let clock: LocalClock
    private var file = FITEncoder()
    private var laps = 0
    private var lengths = 0

    /// A whole file.
    static func file(of track: WorkoutTrack, clock: LocalClock) -> [UInt8] {
        var writer = FITActivityWriter(track: track, clock: clock)
        writer.write()
        return writer.file.file()
    }

    private mutating func write() {
        writeOrigin()
        let legs = track.legs.isEmpty ? [track] : track.legs
        var messages = events()
        for (index, leg) in legs.enumerated() {
            // What is measured when the sport changes belongs to the next one.
            let next = index + 1 < legs.count ? legs[index + 1].start : .infinity
            messages += records(of: leg, before: next)
        }
        // Records follow the start of the timer, and precede its stop.
        let sorted = messages.enumerated().sorted {
            ($0.element.time, $0.element.rank, $0.offset) < ($1.element.time, $1.element.rank, $1.offset)
        }
        for (_, message) in sorted { file.add(message.number, message.fields) }
        let sessions = legs.map { FITSessionFields($0, of: track) }
        var firsts: [(lap: Int, length: Int)] = []
        for session in sessions {
            firsts.append((laps, lengths))
            writeLengths(of: session)
            writeLaps(of: session)
        }
        for (index, session) in sessions.enumerated() {
            let nextLap = index + 1 < firsts.count ? firsts[index + 1].lap : laps
            file.add(
                FITMessageNumber.session,
                session.fields(index, firstLap: firsts[index].lap, laps: nextLap - firsts[index].lap))
        }
        writeActivity(sessions: sessions)
    }

    // MARK: - What wrote the file

    private mutating func writeOrigin() {
        typealias Names = FITField.FileId
        let origin = Self.origin(of: track)
        file.add(
            FITMessageNumber.fileId,
            [
                (Names.type, .integer(FITValueNumber.File.activity)),
                (Names.manufacturer, .integer(origin.manufacturer)),
                (Names.product, origin.product.map { .integer($0) }),
                (Names.serialNumber, .integer(origin.serial)), (Names.timeCreated, .integer(track.start.fit)),
                (Names.productName, origin.name.map { .text($0) }),
            ])
        // Versions are numbers with two decimals.
        let software = (track.device?.softwareVersion ?? track.revision?.version).flatMap(Self.version)
        file.add(FITMessageNumber.fileCreator, [(FITField.FileCreator.softwareVersion, software.map { .integer($0) })])
        typealias Device = FITField.DeviceInfo
        file.add(
            FITMessageNumber.deviceInfo,
            [
                (FITField.timestamp, .integer(track.start.fit)), (Device.deviceIndex, .integer(0)),
                (Device.manufacturer, .integer(origin.manufacturer)),
                (Device.product, origin.product.map { .integer($0) }),
                (Device.serialNumber, .integer(origin.serial)), (Device.softwareVersion, software.map { .integer($0) }),
                (Device.sourceType, .integer(FITValueNumber.SourceType.local)),
                (Device.productName, origin.name.map { .text($0) }),
                // By which a later export recognizes the file.
                (Device.descriptor, .text(ExportMarker.comment)),
            ])
    }

    /// The device that recorded the workout: that of the FIT file that it came from, otherwise one with a number that tells
    /// its source from others.
    private static func origin(
        of track: WorkoutTrack
    ) -> (manufacturer: Int64, product: Int64?, serial: Int64, name: String?) {
        let source = track.revision?.source
        let name = track.revision?.productType ?? track.device?.name ?? source?.name ?? "OpenHealthKit"
        let identifier = source?.bundleIdentifier ?? ""
        let parts = identifier.split(separator: ".", omittingEmptySubsequences: false)
        let numbers = parts.dropFirst().compactMap { Int64($0) }
        if parts.count == 4, parts[0] == "fit", numbers.count == 3 {
            // A device without a product is called after its manufacturer.
            return (numbers[0], numbers[1] > 0 ? numbers[1] : nil, numbers[2], track.revision?.productType)
        }
        let serial = Int64(FNV1a.hash(identifier.utf8) & 0xFFFF_FFFF)
        return (
            FITOrigin.development, 0, max(1, serial), String((track.device?.name ?? source?.name ?? name).prefix(40))
        )
    }

    /// The hundredths of a version such as 9.10 or 10.1.1; `nil` if it begins with no number.
    private static func version(_ text: String) -> Int64? {
        let parts = text.split(separator: ".").prefix(2).map { Int64($0) }
        guard let major = parts.first ?? nil, (0..<600).contains(major) else { return nil }
        let minor = parts.count > 1 ? parts[1] ?? 0 : 0
        return major * 100 + min(max(minor, 0), 99)
    }

    // MARK: - Timer and records

    /// A message at an instant.
    private struct Message {
        var time: Int64
        /// The order among those of an instant.
        var rank: Int
        var number: UInt16
        var fields: [(number: UInt8, value: FITValue?)]
    }

    /// When the timer was started and stopped.
    private func events() -> [Message] {
        typealias Kind = FITValueNumber.EventType
        typealias Trigger = FITValueNumber.TimerTrigger
        func event(_ time: Double, rank: Int, _ kind: Int64, _ trigger: Int64) -> Message {
            typealias Names = FITField.Event
            return Message(
                time: track.second(time), rank: rank, number: FITMessageNumber.event,
                fields: [
                    (FITField.timestamp, .integer(track.second(time))),
                    (Names.event, .integer(FITValueNumber.Event.timer)), (Names.eventType, .integer(kind)),
                    (Names.data, .integer(trigger)),
                ])
        }
        var messages = [event(track.start, rank: 0, Kind.start, Trigger.manual)]
        var stop: Message?
        for change in (track.workout?.events ?? []).sorted(by: { $0.start < $1.start }) {
            guard change.start >= track.start, change.start <= track.end else { continue }
            let trigger = change.type > 4 ? Trigger.auto : Trigger.manual
            switch change.type {
            case 1, 5: stop = stop ?? event(change.start, rank: 2, Kind.stopAll, trigger)
            case 2, 6:
                let resumption = event(change.start, rank: 0, Kind.start, trigger)
                // A pause within a second would seem to have no end.
                if let stop, stop.time < resumption.time { messages += [stop, resumption] }
                stop = nil
            default: break
            }
        }
        if let stop { messages.append(stop) }
        return messages + [event(track.end, rank: 3, Kind.stopAll, Trigger.manual)]
    }

    /// A record for each second with a location or a measurement, and one more for each further heart rate of a second.
    private func records(of leg: WorkoutTrack, before next: Double) -> [Message] {
        typealias Names = FITField.Record
        var records: [Message] = []
        var newest: (stretch: Int, hasPlace: Bool, hasRate: Bool)?
        let rates = Set(leg.heartRates.series.starts)
        // The distance of each sport begins at 0 and is complete at its end.
        let last = min(leg.end, next.nextDown)
        let ends = leg.distances.isEmpty ? [] : [leg.start, last] + leg.distances.series.ends.map { min($0, last) }
        let others = leg.speeds.series.starts + leg.dynamics.values.flatMap(\.series.starts) + ends
        let measured = rates.union(leg.speeds.series.starts).union(leg.cadences.series.starts)
            .union(leg.powers.series.starts).union(leg.dynamics.values.flatMap(\.series.starts))
        let meters = leg.meters()
        for point in leg.points(others) where point.time < next {
            let location = point.location
            // Where nothing was measured, the beginning and the end only have a distance.
            let isBare =
                location == nil && !measured.contains(point.time) && (point.time == leg.start || point.time == last)
            let since = isBare ? .infinity : leg.resumption(before: point.stretch)
            let speed = leg.speeds.value(at: point.time, since: since) ?? location?.speed
            func whole(_ value: Int?) -> FITValue? { value.map { .integer(Int64($0)) } }
            let time = leg.second(point.time)
            var fields: [(number: UInt8, value: FITValue?)] = [
                (FITField.timestamp, .integer(time)), (Names.positionLat, FITSessionFields.degrees(location?.latitude)),
                (Names.positionLong, FITSessionFields.degrees(location?.longitude)),
                (Names.enhancedAltitude, location?.altitude.map { .real($0) }),
                (Names.gpsAccuracy, location?.accuracy.map { .real($0.rounded(.up)) }),
                (Names.distance, leg.distances.isEmpty ? nil : .real(meters(point.time))),
                (Names.heartRate, whole(leg.heartRate(at: point.time, since: since))),
                (Names.cadence, whole(leg.cadence(at: point.time, since: since))),
                (Names.power, whole(leg.power(at: point.time, since: since))),
                (Names.enhancedSpeed, speed.map { .real($0) }),
            ]
            for (field, quantities) in leg.dynamics.sorted(by: { $0.key < $1.key }) {
                fields.append((field, quantities.value(at: point.time, since: since).map { .real($0) }))
            }
            let isRate = rates.contains(point.time)
            if let before = newest, records[records.count - 1].time == time, before.stretch == point.stretch,
                !(before.hasPlace && location != nil), !(before.hasRate && isRate)
            {
                // What was measured in the second stays; the rest is that of its last instant.
                let earlier = records[records.count - 1].fields
                for index in fields.indices {
                    let isKept = fields[index].number == Names.heartRate && before.hasRate
                    if fields[index].value == nil || isKept { fields[index].value = earlier[index].value }
                }
                records[records.count - 1].fields = fields
                newest = (point.stretch, before.hasPlace || location != nil, before.hasRate || isRate)
            } else {
                records.append(Message(time: time, rank: 1, number: FITMessageNumber.record, fields: fields))
                newest = (point.stretch, location != nil, isRate)
            }
        }
        return records
    }

    // MARK: - Summaries

    /// The lengths that were swum in a pool.
    private mutating func writeLengths(of session: FITSessionFields) {
        for length in session.lengths {
            file.add(FITMessageNumber.length, session.length(length, lengths))
            lengths += 1
        }
    }

    private mutating func writeLaps(of session: FITSessionFields) {
        for lap in session.laps {
            file.add(FITMessageNumber.lap, session.lap(lap, laps))
            laps += 1
        }
        typealias Names = FITField.SegmentLap
        for segment in session.segments {
            file.add(
                FITMessageNumber.segmentLap,
                [
                    (FITField.timestamp, .integer(session.track.second(segment.end))),
                    (Names.startTime, .integer(session.track.second(segment.start))),
                    (Names.totalElapsedTime, .real(segment.end - segment.start)),
                ])
        }
    }

    private mutating func writeActivity(sessions: [FITSessionFields]) {
        typealias Names = FITField.Activity
        let end = track.second(track.end)
        let offset = zoneOffset
        file.add(
            FITMessageNumber.activity,
            [
                (FITField.timestamp, .integer(end)),
                (Names.totalTimerTime, .real(sessions.reduce(0) { $0 + $1.activeTime })),
                (Names.numSessions, .integer(Int64(sessions.count))),
                (Names.type, .integer(sessions.count > 1 ? 1 : 0)),
                (Names.event, .integer(FITValueNumber.Event.activity)),
                (Names.eventType, .integer(FITValueNumber.EventType.stop)),
                (Names.localTimestamp, .integer(end + offset)),
            ])
    }

    /// The seconds by which the time of the workout's zone, else of the file's, is ahead of UTC.
    private var zoneOffset: Int64 {
        if case .string(let name)? = track.metadata[MetadataKey.timeZone], let zone = TimeZone(identifier: name) {
            return Int64(zone.secondsFromGMT(for: Date(timeIntervalSinceReferenceDate: track.end)))
        }
        return abs(track.end) < 1e12 ? Int64(clock.offset(at: Int(track.end.rounded(.down)))) : 0
    }
}

extension WorkoutTrack {
    /// An instant in seconds of a FIT file, not after the end that a reader finds from start and duration.
    func second(_ instant: Double) -> Int64 {
        min(instant.fit, start.fit + Int64(max(0, min(end - start, 4e9)).rounded(.down)))
    }
}

extension Double {
    /// An instant in whole seconds since 1989-12-31, as FIT files have it.
    fileprivate var fit: Int64 { Int64(min(max(self + FITOrigin.epoch, 0), 4_294_967_294).rounded(.down)) }
}
