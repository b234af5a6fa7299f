import Foundation
import HTTPTypes
import HealthEngine
import HealthFormats
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel
import Hummingbird
import NIOCore

/// Statistics over all samples or by interval. Answers are kept until the store changes.
struct StatisticsResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("statistics") { try await answer($0, $1, isCollection: false) }
        group.get("statistics/collection") { try await answer($0, $1, isCollection: true) }
    }

    @Sendable private func answer(
        _ request: Request, _ context: PersonRequestContext, isCollection: Bool
    ) async throws -> Response {
        let key = AnswerCache.Key(
            route: isCollection ? "statistics/collection" : "statistics", query: request.uri.query ?? "",
            caller: context.caller, timeZone: context.timeZone)
        let cache = context.person.answers
        let (known, version) = cache.answer(to: key)
        if let known {
            return Response(
                status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: known))
        }
        let bytes = try await makeAnswer(request, context, isCollection: isCollection, version)
        let buffer = ByteBuffer(bytes: bytes)
        cache.keep(buffer, for: key, of: version)
        return Response(
            status: .ok, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: buffer))
    }

    /// What one turn on a thread of the pool achieves.
    private enum Reading: Sendable {
        case answer([UInt8])
        /// The unit is still to be found out, or the type isn't a quantity type.
        case query(StatisticsQuery)
    }

    private func makeAnswer(
        _ request: Request, _ context: PersonRequestContext, isCollection: Bool, _ version: AnswerCache.Version
    ) async throws -> [UInt8] {
        let (parameters, calendar) = try context.parameters(of: request)
        let cache = context.person.answers
        let reading = try await context.read { [parameters] engine, caller -> Reading in
            var parameters = parameters
            let query = try StatisticsQuery(
                &parameters, dictionaries: cache.dictionaries(of: engine, in: version), calendar.timeZone,
                isCollection: isCollection
            ) { try cache.isReadable($0, by: caller, from: engine, in: version) }
            try parameters.finish()
            guard query.type.kind == .quantity else { return .query(query) }
            if query.needsShownUnit {
                guard let unit = cache.unit(of: query.type.code, in: version) else { return .query(query) }
                return .answer(try query.answer(from: engine, as: caller, shownIn: unit))
            }
            return .answer(try query.answer(from: engine, as: caller, shownIn: query.unit))
        }
        switch reading {
        case .answer(let bytes): return bytes
        case .query(let query):
            let store = context.healthStore(calendar: calendar)
            guard query.type.kind == .quantity else {
                return try await query.categoryAnswer(
                    from: store, calendar: calendar, engine: context.engine, pool: context.pool)
            }
            let unit = try await query.shownUnit(of: store)
            if let unit { cache.keep(unit: unit, of: query.type.code, in: version) }
            return try await context.read { engine, caller in try query.answer(from: engine, as: caller, shownIn: unit)
            }
        }
    }
}

/// The parameters of a request for statistics.
struct StatisticsQuery: Sendable {
    let type: TypeDescription
    private let samples: SampleQuery
    private let options: StatisticsOptions
    /// The unit that the request asks for.
    let unit: String?
    private let intervals: RequestedIntervals?
    private let isFilled: Bool
    private let timeZone: TimeZone

    init(
        _ parameters: inout QueryParameters, dictionaries: StoreDictionaries, _ timeZone: TimeZone, isCollection: Bool,
        isReadable: (TypeDescription) throws -> Bool
    ) throws {
        type = try parameters.type("type", dictionaries)
        guard type.kind.isPaged else {
            throw QueryParameters.problem(
                "type", type.shortName, "has no statistics: it is not a quantity or category type.")
        }
        samples = try SampleQuery(
            &parameters, types: isReadable(type) ? [type] : [], timeZone, dictionaries)
        options = try Self.options(parameters.list("options"), type)
        unit = try parameters.unit("unit")
        if let unit {
            guard type.kind == .quantity,
                type.canonicalUnit.map({ UnitConversion(between: $0, and: unit) != nil }) ?? true
            else {
                throw QueryParameters.problem("unit", unit, "is not a unit of \(type.shortName).")
            }
        }
        self.timeZone = timeZone
        guard isCollection else {
            (intervals, isFilled) = (nil, false)
            return
        }
        intervals = try RequestedIntervals(
            parameters.requiredText("interval"), anchor: parameters.instant("anchor", timeZone), timeZone: timeZone)
        isFilled = try parameters.flag("fill")
        guard !isFilled || samples.start != nil && samples.end != nil else {
            throw Problem(.invalidParameter, "fill: Give start and end, too.")
        }
    }

    private static let names: [(String, StatisticsOptions)] = [
        ("sum", .cumulativeSum), ("average", .discreteAverage), ("min", .discreteMin), ("max", .discreteMax),
        ("mostRecent", .mostRecent), ("duration", .duration), ("separateBySource", .separateBySource),
    ]

    private static func options(_ given: [String]?, _ type: TypeDescription) throws -> StatisticsOptions {
        guard type.kind == .quantity else {
            guard given == nil else {
                throw Problem(
                    .invalidParameter,
                    "options: Statistics of a category type have the time in each value and no options.")
            }
            return []
        }
        let isCumulative = type.aggregationStyle?.isCumulative ?? false
        let figures: StatisticsOptions = isCumulative ? .cumulativeSum : [.discreteAverage, .discreteMin, .discreteMax]
        guard let given else { return figures }
        var options: StatisticsOptions = []
        for name in given {
            guard let option = names.first(where: { $0.0 == name })?.1 else {
                throw QueryParameters.problem(
                    "options", name, "is not an option. Use \(names.map(\.0).joined(separator: ", ")).")
            }
            options.insert(option)
        }
        if options == .separateBySource { options.formUnion(figures) }
        if isCumulative, !options.isDisjoint(with: [.discreteAverage, .discreteMin, .discreteMax]) {
            throw Problem(
                .invalidParameter,
                "options: \(type.shortName) is cumulative, so it has a sum, but no average, min and max.")
        }
        if !isCumulative, type.aggregationStyle != nil, options.contains(.cumulativeSum) {
            throw Problem(
                .invalidParameter,
                "options: \(type.shortName) is discrete, so it has an average, min and max, but no sum.")
        }
        return options
    }

    /// Whether the answer is in the unit that the person chose, or the usual one of the region.
    var needsShownUnit: Bool { unit == nil && !samples.types.isEmpty }

    /// The unit that the person chose, or the usual one of the region; `nil` for that of the engine.
    func shownUnit(of store: HKHealthStore) async throws -> String? {
        guard let quantity = HKObjectType.quantityType(forIdentifier: .init(rawValue: type.identifier))
        else { return nil }
        return try await store.preferredUnits(for: [quantity])[quantity]?.unitString
    }

    // MARK: Quantities

    /// The answer about a quantity type as JSON.
    func answer(from engine: HealthEngine, as caller: Caller, shownIn shown: String?) throws -> [UInt8] {
        var buckets: [StatisticsBucket] = []
        if !samples.types.isEmpty {
            do {
                buckets = try engine.statistics(
                    StatisticsRequest(
                        type: type.code, filter: samples.filter, options: options,
                        buckets: intervals.map(self.buckets) ?? .single),
                    as: caller)
            } catch EngineError.noData {
                // An empty list says it.
            }
        }
        let canonical = buckets.first?.unit ?? type.canonicalUnit ?? shown ?? "count"
        let unit = shown.flatMap { UnitConversion(between: canonical, and: $0) == nil ? nil : $0 } ?? canonical
        let writer = StatisticsJSONWriter(unit: canonical, shownIn: unit, timeZone: timeZone)
        var json = JSONText(reserving: 128 + buckets.count * 160)
        try json.object { json in
            json.member("type", text: type.identifier)
            json.member("unit", text: unit)
            json.member("interval", text: intervals?.name)
            json.key("statistics")
            try json.array { json in
                if isFilled {
                    try writeFilled(buckets, writer, &json)
                } else {
                    for bucket in buckets where overlaps(bucket.start, bucket.end) { writer.write(bucket, to: &json) }
                }
            }
        }
        return json.bytes
    }

    private func buckets(_ intervals: RequestedIntervals) -> StatisticsRequest.Buckets {
        // Of a sample that lasts for years, only the intervals of the answer are computed.
        let (first, last) = (samples.start ?? -.infinity, samples.end ?? .infinity)
        return .intervals(length: intervals.approximateLength, within: first <= last ? first...last : nil) {
            try intervals.bounds(covering: $0)
        }
    }

    /// Samples match as a whole, so the first and last interval can be outside the range.
    private func overlaps(_ start: Double, _ end: Double) -> Bool {
        guard intervals != nil else { return true }
        return (samples.start.map { end > $0 } ?? true) && (samples.end.map { start < $0 } ?? true)
    }

    private func writeFilled(_ buckets: [StatisticsBucket], _ writer: StatisticsJSONWriter, _ json: inout JSONText)
        throws
    {
        guard let intervals, let start = samples.start, let end = samples.end, start < end else { return }
        let bounds = try intervals.bounds(covering: [start...end.nextDown])
        var next = 0
        for (start, end) in zip(bounds, bounds.dropFirst()) {
            while next < buckets.count, buckets[next].start < start { next += 1 }
            if next < buckets.count, buckets[next].start == start {
                writer.write(buckets[next], to: &json)
            } else {
                writer.writeEmpty(start: start, end: end, to: &json)
            }
        }
    }

    // MARK: Categories

    /// The answer about a category type as JSON: the time in each value.
    func categoryAnswer(
        from store: HKHealthStore, calendar: Calendar, engine: HealthEngine, pool: StorePool
    ) async throws -> [UInt8] {
        guard samples.isRangeOnly else {
            throw Problem(.invalidParameter, "Statistics of a category type are selected by start and end only.")
        }
        guard !isFilled else {
            throw Problem(.invalidParameter, "fill: Statistics of a category type have only intervals with data.")
        }
        let component = try intervals.map { intervals -> Calendar.Component in
            switch intervals.name {
            case "hour": return .hour
            case "day": return .day
            case "week": return .weekOfYear
            case "month": return .month
            case "year": return .year
            default:
                throw Problem(.invalidParameter, "interval: For a category type use hour, day, week, month or year.")
            }
        }
        var found: [CategoryTimes] = []
        if !samples.types.isEmpty,
            let category = HKObjectType.categoryType(forIdentifier: .init(rawValue: type.identifier))
        {
            let (code, samples) = (type.code, samples)
            let order = try await pool.run { try engine.sources.order(of: code) }
            let reader = CategoryTimeReader(
                store: store, calendar: calendar, sourceOrder: order.map(\.source.bundleIdentifier),
                excludedSources: Set(order.filter { !$0.isEnabled }.map(\.source.bundleIdentifier)))
            func date(_ instant: Double?) -> Date? { instant.map { Date(timeIntervalSinceReferenceDate: $0) } }
            do {
                found = try await reader.times(
                    of: category, from: date(samples.start), to: date(samples.end), every: component)
            } catch let error as HKError where error.code == .errorInvalidArgument {
                throw Problem(.invalidParameter, "interval: \(error.localizedDescription)")
            }
        }
        let instants = InstantWriter(timeZone: timeZone)
        var json = JSONText()
        json.object { json in
            json.member("type", text: type.identifier)
            json.member("interval", text: intervals?.name)
            json.key("statistics")
            json.array { json in for times in found { write(times, instants, &json) } }
        }
        return json.bytes
    }

    private func write(_ times: CategoryTimes, _ instants: InstantWriter, _ json: inout JSONText) {
        json.object { json in
            json.member("startDate", instant: times.interval.start.timeIntervalSinceReferenceDate, instants)
            json.member("endDate", instant: times.interval.end.timeIntervalSinceReferenceDate, instants)
            json.member("duration", number: times.duration)
            json.member("count", integer: times.count)
            json.key("values")
            json.array { json in
                for value in times.values {
                    json.object { json in
                        json.member("value", integer: value.value)
                        json.member("valueName", text: ValueNames.name(of: value.value, of: type))
                        json.member("duration", number: value.duration)
                        json.member("count", integer: value.count)
                    }
                }
            }
        }
    }
}
