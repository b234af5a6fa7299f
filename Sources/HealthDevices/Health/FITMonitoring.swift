import HealthFiles
import HealthModel

/// The counts of a watch of a day: totals since midnight, which become the differences between two messages.
struct FITMonitoring {
    /// A total that grows all day.
    private struct Total {
        var date: Double
        var value: Double
    }

    private struct Key: Hashable {
        var activity: Int64
        var field: UInt8
    }

    private let origin: FITOrigin
    private let samples: SampleOrigin
    private var totals: [Key: Total] = [:]
    /// The beginning of the file, from where the first totals count.
    private var beginning: Double?
    /// The last midnight at which totals were seen to begin again. Those that were counted before, and not since, have
    /// begun again, too, even if they are greater than they were.
    private var renewal = -Double.infinity
    /// The seconds by which the person's time is ahead of UTC.
    private var localOffset: Double?
    /// The last time that was written as a whole, to which times of 16 bits refer.
    private var lastTime: Int64?
    /// The date of the last message.
    private var lastDate: Double?
    /// The kilocalories that the person needs at rest in a day.
    private var restingRate: Double?

    /// A floor has ten feet, as watches and phones count it.
    private static let metersPerFloor = 3.048

    init(_ origin: FITOrigin) {
        self.origin = origin
        // A separate source: the totals of a day include those of its workouts, and the order of sources decides
        // where both overlap.
        var revision = origin.revision
        revision.source.bundleIdentifier += ".monitoring"
        samples = SampleOrigin(revision: revision, device: origin.device)
    }

    mutating func read(_ messages: FITMessages, into content: inout FileContent) {
        for message in messages.ordered([FITMessageNumber.monitoringInfo, FITMessageNumber.monitoring]) {
            let time = message.integer(FITField.timestamp)
            switch message.number {
            case FITMessageNumber.monitoringInfo:
                addRest(&content)
                restingRate = message.number(FITField.MonitoringInfo.restingMetabolicRate)
                lastTime = time ?? lastTime
                beginning = origin.date(message)
                localOffset = FITOrigin.localOffset(message, FITField.MonitoringInfo.localTimestamp) ?? localOffset
                if let beginning, let localOffset, (beginning + localOffset).remainder(dividingBy: 86_400) == 0 {
                    renewal = beginning
                }
            case FITMessageNumber.monitoring:
                if let time {
                    lastTime = time
                } else if let short = message.integer(FITField.Monitoring.timestamp16), let last = lastTime {
                    lastTime = last &+ ((short &- last) & 0xFFFF)
                }
                guard let date = lastTime.flatMap(origin.date) else {
                    content.leaveOut("monitoring without a time")
                    continue
                }
                lastDate = date
                read(message, date, &content)
            default: break
            }
        }
        addRest(&content)
    }

    /// Adds the energy at rest from the beginning to the last message.
    private mutating func addRest(_ content: inout FileContent) {
        defer { (restingRate, lastDate) = (nil, nil) }
        guard let restingRate, restingRate > 0, let beginning, let lastDate, lastDate > beginning,
            lastDate - beginning <= 2 * 86_400
        else { return }
        let energy = restingRate * (lastDate - beginning) / 86_400
        content.samples.append(samples.quantity(.basalEnergy, energy, beginning, lastDate))
    }

    private mutating func read(_ message: FITMessage, _ date: Double, _ content: inout FileContent) {
        typealias Names = FITField.Monitoring
        typealias Activity = FITValueNumber.ActivityType
        if let rate = message.number(Names.heartRate), rate > 0 {
            content.samples.append(samples.quantity(.heartRate, rate, date))
        }
        let activity = message.integer(Names.activityType) ?? -1
        let isOnFoot = [Activity.walking, Activity.running].contains(activity)
        let distance = Activity.healthKit[activity].flatMap { MeasuredType.distance(of: UInt($0)) }
        for (field, type) in [
            (Names.cycles, isOnFoot ? .steps : activity == Activity.wheelchairPushing ? .pushes : nil),
            (Names.distance, distance), (Names.activeCalories, MeasuredType.activeEnergy),
            (Names.moderateActivityMinutes, .exerciseTime), (Names.vigorousActivityMinutes, .exerciseTime),
        ] as [(UInt8, MeasuredType?)] {
            guard let value = message.number(field) else { continue }
            guard let type else {
                content.leaveOut("monitoring total of another activity")
                continue
            }
            add(type, value, date, Key(activity: activity, field: field), &content)
        }
        if let ascent = message.number(Names.ascent) {
            let floors = (ascent / Self.metersPerFloor).rounded(.down)
            add(.flights, floors, date, Key(activity: activity, field: Names.ascent), &content)
        }
        if message[Names.calories] != nil { content.leaveOut("calories with those at rest") }
    }

    /// Adds what a total grew by since the last message that had it, or since the beginning of the file. A total at
    /// the very beginning is of what earlier files contain. One that became less started again at midnight.
    private mutating func add(
        _ type: MeasuredType, _ value: Double, _ date: Double, _ key: Key, _ content: inout FileContent
    ) {
        let before = totals[key] ?? beginning.map { Total(date: $0, value: $0 < date ? 0 : value) }
        totals[key] = Total(date: date, value: value)
        guard let before, date > before.date else { return }
        let midnight = midnight(before: date)
        if value < before.value, let midnight, midnight >= before.date { renewal = midnight }
        let isNew = value < before.value || before.date <= renewal && renewal < date
        let growth = isNew ? value : value - before.value
        guard growth > 0 else { return }
        let start = isNew ? midnight.map { max($0, before.date) } : nil
        content.samples.append(samples.quantity(type, growth, start ?? before.date, date))
    }

    /// The last midnight before a date where the person is, if the file has the time zone.
    private func midnight(before date: Double) -> Double? {
        localOffset.map { offset in
            let midnight = ((date + offset) / 86_400).rounded(.down) * 86_400 - offset
            return midnight < date ? midnight : midnight - 86_400
        }
    }
}
