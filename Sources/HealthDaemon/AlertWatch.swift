import Foundation
package import HealthEngine
import HealthInsights
import HealthKit
package import HealthModel

/// The look at a store for what alerts tell, by the process that delivers to its webhooks.
struct AlertWatch {
    private let engine: HealthEngine

    init(engine: HealthEngine) { self.engine = engine }

    /// The undelivered events of an application with which its alerts wait, as they do while they are suspended.
    private static let maximumWaiting = 100

    /// Begins deliveries of what alerts tell now.
    ///
    /// - Parameter standing: What stands out, from ``standingOut(in:)``; `nil` if that wasn't read.
    /// - Returns: When to look again even without a change, in seconds since 2001; `nil` if only a change tells more.
    func look(standing: Set<String>?) throws -> Double? {
        var next: Double?
        for (name, application) in try engine.backgroundDelivery.applications() {
            guard case .webhook? = application.target, !application.areAlertsSuspended,
                application.deliveries.count(where: { $0.alert != nil }) < Self.maximumWaiting
            else { continue }
            for before in application.alerts {
                var alert = before
                let events = try alert.look(at: engine, standing: standing)
                if alert != before {
                    try engine.backgroundDelivery.tell(events, alert, instead: before, of: name)
                }
                if let end = alert.end { next = min(next ?? end, end) }
            }
        }
        return next
    }

    /// Whether there is an alert of highlights.
    func asksForHighlights() throws -> Bool {
        try engine.backgroundDelivery.applications().values.contains { $0.alerts.contains { $0.kind == .highlight } }
    }

    /// The measures that stand out in the last seven days, each with the direction, such as
    /// `HKQuantityTypeIdentifierRestingHeartRate higher`.
    static func standingOut(in engine: HealthEngine) async throws -> Set<String> {
        let now = Date(timeIntervalSinceReferenceDate: engine.configuration.now())
        var calendar = Calendar(identifier: .gregorian)
        let zone = try engine.imports.metadata(ImportHistory.timeZoneKey).flatMap { TimeZone(identifier: $0) }
        calendar.timeZone = zone ?? .current
        var configuration = HKHealthStore.Configuration(location: .inMemory(name: nil), authorization: .allowAll)
        (configuration.calendar, configuration.isOtherApplication) = (calendar, true)
        let store = HKHealthStore(configuration: configuration, engine: engine, availability: DeviceAvailability())
        let found = try await HighlightReader(store: store, calendar: calendar).highlights(asOf: now)
        return Set(found.compactMap { one in one.direction.map { "\(one.measure.type.identifier) \($0)" } })
    }
}

extension HealthAlert {
    /// Creates an alert from what a person asks for, which looks at what a store gains from now on. A value that is beyond
    /// the limit already is told only after one that isn't; a source that is silent already is told at once.
    ///
    /// - Parameters:
    ///   - type: The type of a limit; a quantity type whose samples aren't summed.
    ///   - unit: The unit of the limit, as people write it.
    /// - Throws: ``DaemonError``, which says what the kind needs.
    package init(
        name: String, kind: Kind, type: TypeDescription? = nil, limit: Double? = nil, unit: String? = nil,
        source: String? = nil, hours: Double? = nil, in engine: HealthEngine
    ) throws {
        guard (1...100).contains(name.count), !name.contains(where: { $0.isNewline || $0 == "\0" || $0 == "/" }) else {
            throw DaemonError("The name of an alert has 1 to 100 characters on one line, without a slash")
        }
        self.init(name: name, kind: kind)
        created = engine.configuration.now()
        position = try engine.lastSequence()
        switch kind {
        case .above, .below:
            guard let type, type.kind == .quantity, type.aggregationStyle?.isCumulative != true else {
                throw DaemonError(
                    "A limit needs a type that is measured, such as heartRate. Samples of steps or energy are parts of a sum")
            }
            guard let unit = unit.flatMap({ try? UnitExpression(words: $0, of: type).string }), let limit,
                limit.isFinite, type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true
            else {
                let own = type.canonicalUnit.map { ", such as \($0)" } ?? ""
                throw DaemonError("A limit needs a number and a unit of \(type.shortName)\(own)")
            }
            (self.type, self.limit, self.unit) = (type.identifier, limit, unit)
            let last = try engine.samples(
                SampleRequest(
                    parts: [.init(type: type.code, filter: .start(.lessThanOrEqual, created))],
                    sort: [SampleSort(.start, ascending: false)], limit: 1), as: .reader)
            if let (start, value) = values(last).last { (latest, isRaised) = (start, isBeyond(value)) }
        case .highlight: break
        case .silence:
            guard let source, !source.isEmpty, let hours, hours > 0, hours <= 8_784 else {
                throw DaemonError(
                    "The silence of a source needs its bundle identifier, and hours: a number up to 8784, a year")
            }
            (self.source, self.hours) = (source, hours)
            latest = try latestEnd(in: engine) ?? created
        }
    }

    /// When the silence of the source is to be told, in seconds since 2001.
    fileprivate var end: Double? { isRaised ? nil : hours.map { latest + $0 * 3_600 } }

    /// Looks at what was added since it looked last, and returns what is to be told.
    fileprivate mutating func look(at engine: HealthEngine, standing: Set<String>?) throws -> [AlertEvent] {
        switch kind {
        case .above, .below: try lookAtSamples(of: engine).map { [$0] } ?? []
        case .highlight: lookAtHighlights(standing)
        case .silence: try lookAtSource(in: engine).map { [$0] } ?? []
        }
    }

    /// The samples that are read at a time.
    private static let samplesAtOnce = 10_000

    /// Returns the first crossing among new samples. An older sample that comes later can be told, and doesn't end the
    /// crossing.
    private mutating func lookAtSamples(of engine: HealthEngine) throws -> AlertEvent? {
        let last = try engine.lastSequence()
        // The store was replaced by an older copy of itself.
        position = min(position, last)
        let dictionaries = try engine.dictionaries()
        guard let type = type.flatMap({ dictionaries.type(identifier: $0)?.code }) else { return nil }
        let after = position
        guard try engine.storage.read({ try $0.hasAdditions(of: type, after: after) }) else { return nil }
        let part = SampleRequest.Part(type: type, filter: .start(.greaterThanOrEqual, created))
        var (found, isComplete) = ([(start: Double, value: Double)](), false)
        while !isComplete {
            let request = ChangesRequest(parts: [part], after: position, limit: Self.samplesAtOnce)
            let result = try engine.changes(request, as: .reader)
            found += values(result.added)
            isComplete = result.added.count + result.deleted.count < Self.samplesAtOnce
            position = result.sequence
        }
        var event: AlertEvent?
        let now = engine.configuration.now()
        for (start, value) in found.sorted(by: { $0.start < $1.start }) {
            if isBeyond(value), !isRaised, event == nil {
                event = AlertEvent(alert: name, type: self.type, date: start, value: value)
            }
            // A date in the future doesn't make all others older.
            if start >= latest { (latest, isRaised) = (min(start, now), isBeyond(value)) }
        }
        return event
    }

    /// The samples' starts and values in the unit of the limit.
    private func values(_ samples: SampleSelection) -> [(start: Double, value: Double)] {
        samples.order.compactMap { reference in
            guard case .sample(let batch, let row) = reference else { return nil }
            let (rows, row) = (samples.batches[Int(batch)], Int(row))
            let conversion = UnitConversion(between: samples.dictionaries.unit(rows.units[row]), and: unit ?? "")
            return conversion.map { (rows.starts[row], $0(rows.values[row])) }
        }
    }

    private mutating func lookAtHighlights(_ found: Set<String>?) -> [AlertEvent] {
        guard let found else { return [] }
        let before = standing ?? found
        standing = found
        return found.subtracting(before).sorted().map { text in
            let words = text.split(separator: " ").map(String.init)
            return AlertEvent(alert: name, type: words[0], direction: words[1])
        }
    }

    private mutating func lookAtSource(in engine: HealthEngine) throws -> AlertEvent? {
        let (now, silence) = (engine.configuration.now(), (hours ?? 0) * 3_600)
        // All types are searched, but only when it can make a difference.
        let last = try engine.lastSequence()
        guard isRaised ? last != position : latest + silence <= now else { return nil }
        position = last
        latest = try latestEnd(in: engine) ?? latest
        let wasRaised = isRaised
        isRaised = latest + silence <= now
        return isRaised && !wasRaised ? AlertEvent(alert: name) : nil
    }

    /// The latest end of a sample of the source up to now.
    private func latestEnd(in engine: HealthEngine) throws -> Double? {
        guard let source else { return nil }
        let filter = SampleFilter.and([.source([source]), .start(.lessThanOrEqual, engine.configuration.now())])
        let types = TypeCatalog.all + (try engine.dictionaries().types)
        return try types.filter { ![.characteristic, .activitySummary].contains($0.kind) }.compactMap {
            try engine.extent(of: $0.code, matching: filter, as: .reader)?.upperBound
        }.max()
    }
}
