import Foundation
import HealthEngine
import HealthFormats
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel
import Hummingbird

/// What HealthInsights computes: nights of sleep, trends and comparisons, and today's figures.
struct InsightsResource: PersonResource {
    private static let maximumNights = 3_700

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("sleep", use: sleep)
        group.get("trends", use: trends)
        group.get("today", use: today)
    }

    // MARK: Sleep

    @Sendable private func sleep(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let days = try DayRange(&parameters, calendar.timeZone, now: context.now, maximum: Self.maximumNights)
            .summaryDays
        try parameters.finish()
        let reader = try await sleepReader(context, calendar)
        var nights: [SleepNight] = []
        if let first = days.first, let last = days.last {
            let interval = DateInterval(
                start: Date(timeIntervalSinceReferenceDate: first.start),
                end: Date(timeIntervalSinceReferenceDate: last.end))
            nights = try await silently([]) { try await reader.nights(in: interval) }
        }
        let instants = InstantWriter(timeZone: calendar.timeZone)
        return .object { json in
            json.key("nights")
            json.array { json in for night in nights { json.night(night, instants) } }
        }
    }

    /// A reader that prefers the sources as the person does.
    private func sleepReader(_ context: PersonRequestContext, _ calendar: Calendar) async throws -> SleepReader {
        let own = try await context.read { engine, _ in
            try TypeCatalog.description(for: HKCategoryTypeIdentifier.sleepAnalysis.rawValue).map {
                try engine.sources.ownOrder(of: $0.code)
            }
        }
        return SleepReader(
            store: context.healthStore(calendar: calendar), calendar: calendar, sourceOrder: own?.order ?? [],
            excludedSources: own?.disabled ?? [])
    }

    /// A type that was never decided about is as silent as one that is denied.
    private func silently<Value>(_ none: Value, _ read: () async throws -> Value) async throws -> Value {
        do {
            return try await read()
        } catch let error as HKError where error.code == .errorAuthorizationNotDetermined {
            return none
        }
    }

    // MARK: Trends

    private struct TrendQuery: Sendable {
        var type: TypeDescription
        var isReadable: Bool
        var unit: String?
        var recentDays: Int
        var baselineDays: Int
        /// Two intervals to compare.
        var intervals: (DateInterval, DateInterval)?

        init(_ parameters: inout QueryParameters, engine: HealthEngine, caller: Caller, _ timeZone: TimeZone) throws {
            type = try parameters.type("type", try engine.dictionaries())
            guard type.kind == .quantity, TypeCatalog.description(for: type.code) != nil else {
                throw QueryParameters.problem(
                    "type", type.shortName, "has no trend: it is not a quantity type of HealthKit.")
            }
            isReadable = try !engine.readable([type], as: caller).isEmpty
            unit = try parameters.unit("unit")
            if let unit, let canonical = type.canonicalUnit, UnitConversion(between: canonical, and: unit) == nil {
                throw QueryParameters.problem("unit", unit, "is not a unit of \(type.shortName).")
            }
            recentDays = try parameters.integer("recentDays", in: 1...366) ?? 7
            baselineDays = try parameters.integer("baselineDays", in: 1...3_660) ?? 28
            let names = ["start", "end", "compareStart", "compareEnd"]
            let instants = try names.map { try parameters.instant($0, timeZone) }
            let given = instants.compactMap { $0 }
            guard given.count == names.count else {
                guard given.isEmpty else {
                    throw Problem(
                        .invalidParameter,
                        "compareStart: Give start, end, compareStart and compareEnd, or none of them.")
                }
                return
            }
            guard given[0] < given[1], given[2] < given[3], given[1] - given[0] <= 40_000 * 86_400,
                given[3] - given[2] <= 40_000 * 86_400
            else {
                throw Problem(.invalidParameter, "end: A range ends before it starts, or is longer than a century.")
            }
            func interval(_ index: Int) -> DateInterval {
                DateInterval(
                    start: Date(timeIntervalSinceReferenceDate: given[index]),
                    end: Date(timeIntervalSinceReferenceDate: given[index + 1]))
            }
            intervals = (interval(0), interval(2))
        }
    }

    @Sendable private func trends(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let zone = calendar.timeZone
        let query = try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let query = try TrendQuery(&parameters, engine: engine, caller: caller, zone)
            try parameters.finish()
            return query
        }
        guard let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: query.type.identifier)),
            query.isReadable
        else {
            return .object { $0.member("type", text: query.type.identifier) }
        }
        let reader = TrendReader(store: context.healthStore(calendar: calendar), calendar: calendar)
        let unit = query.unit.map { HKUnit(from: $0) }
        let instants = InstantWriter(timeZone: zone)
        if let (second, first) = query.intervals {
            let comparison = try await reader.comparison(of: type, first, with: second, unit: unit)
            return .object { json in
                json.member("type", text: type.identifier)
                json.member("unit", text: comparison.second.unit.unitString)
                json.key("comparison")
                json.comparison(comparison, instants)
            }
        }
        let trend = try await reader.trend(
            of: type, asOf: context.now, recentDays: query.recentDays, baselineDays: query.baselineDays, unit: unit)
        let week = try await reader.weekComparison(of: type, asOf: context.now, unit: unit)
        return .object { json in
            json.member("type", text: type.identifier)
            json.member("unit", text: trend.unit.unitString)
            json.key("trend")
            json.trend(trend, instants)
            json.key("week")
            json.object { json in
                json.comparison(members: week.comparison, instants)
                json.key("previousWeek")
                json.figures(week.previousWeek, instants)
            }
        }
    }

    // MARK: Today

    @Sendable private func today(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        try parameters.finish()
        let (now, zone) = (context.now, calendar.timeZone)
        let reader = TodayReader(
            store: context.healthStore(calendar: calendar), calendar: calendar,
            sleepReader: try await sleepReader(context, calendar))
        let summary = try await silently(TodaySummary?.none) { try await reader.summary(now: now) }
        let instants = InstantWriter(timeZone: zone)
        let clock = LocalClock(timeZone: zone)
        return .object { json in
            let instant = now.timeIntervalSinceReferenceDate
            json.member("date", text: clock.dayText(instant))
            json.member("now", instant: instant, instants)
            if let summary { json.members(of: summary, instants) }
        }
    }
}
