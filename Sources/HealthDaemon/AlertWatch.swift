import Foundation
package import HealthEngine
import HealthFormats
import HealthInsights
import HealthKit
import HealthModel
import HealthStorage

/// The look at a store for what alerts tell, by the process that delivers to its webhooks.
struct AlertWatch {
    let engine: HealthEngine

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
        try engine.backgroundDelivery.applications().values.contains { application in
            application.alerts.contains { $0.request.condition == .highlight }
        }
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
    /// Creates an alert that looks at what a store gains from now on. A value that is beyond the limit already is reported
    /// only after one that isn't; a source that is silent already is reported at once.
    ///
    /// - Throws: ``DaemonError``, which says what the condition needs, or that the application has too many.
    package init(_ given: AlertRequest, of application: String, in engine: HealthEngine) throws {
        let others = try engine.backgroundDelivery.application(application)?.alerts.filter {
            $0.request.alert != given.alert
        }
        guard others?.count ?? 0 < Self.maximumCount else {
            throw DaemonError("An application has \(Self.maximumCount) alerts at most. Remove one of them first")
        }
        var request = AlertRequest(alert: given.alert, condition: given.condition)
        guard (1...100).contains(given.alert.count),
            !given.alert.contains(where: { $0.isNewline || $0 == "\0" || $0 == "/" })
        else { throw DaemonError("The name of an alert has 1 to 100 characters on one line, without a slash") }
        var code: TypeCode?
        switch given.condition {
        case .above, .below:
            guard let type = try given.type.flatMap({ try engine.dictionaries().type(named: $0) }),
                type.kind == .quantity, type.aggregationStyle?.isCumulative != true
            else {
                throw DaemonError(
                    "A limit needs a type whose samples aren’t parts of a sum, such as heartRate")
            }
            guard let unit = given.unit.flatMap({ try? UnitExpression(words: $0, of: type).string }),
                given.limit?.isFinite == true,
                type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true
            else {
                let unit = try engine.displayUnit(of: type, as: .reader)
                throw DaemonError("A limit needs a number and a unit of \(type.shortName), such as \(unit)")
            }
            (code, request.type, request.limit, request.unit) = (type.code, type.identifier, given.limit, unit)
        case .highlight: break
        case .silence:
            guard given.source?.isEmpty == false, let hours = given.hours, hours > 0, hours <= 8_784 else {
                throw DaemonError(
                    "Silence needs the bundle identifier of a source, and hours, at most 8784: those of a year")
            }
            (request.source, request.hours) = (given.source, hours)
        }
        self.init(request, created: engine.configuration.now(), position: try engine.lastSequence())
        if let code {
            let part = SampleRequest.Part(type: code, filter: .start(.lessThanOrEqual, created))
            let last = try engine.samples(
                SampleRequest(parts: [part], sort: [SampleSort(.start, ascending: false)], limit: 1), as: .reader)
            if let (start, value) = values(last).first { (latest, isRaised) = (start, isBeyond(value)) }
        } else if request.source != nil {
            latest = try latestEnd(in: engine) ?? created
        }
    }

    /// The alerts of an application, each of which is looked at with every change.
    private static let maximumCount = 100

    /// Whether a value is beyond the limit, in its unit.
    private func isBeyond(_ value: Double) -> Bool {
        request.limit.map { request.condition == .above ? value > $0 : value < $0 } ?? false
    }

    /// When the silence of the source is to be reported, in seconds since 2001.
    fileprivate var end: Double? { isRaised ? nil : request.hours.map { latest + $0 * 3_600 } }

    /// Looks at what was added since it looked last, and returns what is to be reported.
    fileprivate mutating func look(at engine: HealthEngine, standing: Set<String>?) throws -> [AlertEvent] {
        switch request.condition {
        case .above, .below: try lookAtSamples(of: engine).map { [$0] } ?? []
        case .highlight: lookAtHighlights(standing)
        case .silence: try lookAtSource(in: engine).map { [$0] } ?? []
        }
    }

    /// The samples that are read at a time.
    private static let samplesAtOnce = 10_000

    /// Returns the first crossing among new samples. An older sample that comes later can be reported, and doesn't end the
    /// crossing.
    private mutating func lookAtSamples(of engine: HealthEngine) throws -> AlertEvent? {
        let last = try engine.lastSequence()
        // The store was replaced by an older copy of itself.
        position = min(position, last)
        let dictionaries = try engine.dictionaries()
        guard let type = request.type.flatMap({ dictionaries.type(identifier: $0)?.code }) else { return nil }
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
                event = AlertEvent(alert: request.alert, type: request.type, date: start, value: value)
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
            let (rows, index) = (samples.batches[Int(batch)], Int(row))
            let unit = samples.dictionaries.unit(rows.units[index])
            return UnitConversion(between: unit, and: request.unit ?? "").map {
                (rows.starts[index], $0(rows.values[index]))
            }
        }
    }

    private mutating func lookAtHighlights(_ found: Set<String>?) -> [AlertEvent] {
        guard let found else { return [] }
        let before = standing ?? found
        standing = found
        return found.subtracting(before).sorted().map { text in
            let words = text.split(separator: " ").map(String.init)
            return AlertEvent(alert: request.alert, type: words[0], direction: words[1])
        }
    }

    private mutating func lookAtSource(in engine: HealthEngine) throws -> AlertEvent? {
        let (now, silence) = (engine.configuration.now(), (request.hours ?? 0) * 3_600)
        // All types are searched, but only when it can make a difference.
        let last = try engine.lastSequence()
        guard isRaised ? last != position : latest + silence <= now else { return nil }
        position = last
        latest = try latestEnd(in: engine) ?? latest
        let wasRaised = isRaised
        isRaised = latest + silence <= now
        return isRaised && !wasRaised ? AlertEvent(alert: request.alert) : nil
    }

    /// The latest end of a sample of the source up to now.
    private func latestEnd(in engine: HealthEngine) throws -> Double? {
        guard let source = request.source else { return nil }
        let filter = SampleFilter.and([.source([source]), .start(.lessThanOrEqual, engine.configuration.now())])
        let types = TypeCatalog.all + (try engine.dictionaries().types)
        return try types.filter { ![.characteristic, .activitySummary].contains($0.kind) }.compactMap {
            try engine.extent(of: $0.code, matching: filter, as: .reader)?.upperBound
        }.max()
    }
}
