import Foundation
import HealthEngine
import HealthFormats
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel
import Hummingbird

/// Activity rings and energy, by day.
struct SummariesResource: PersonResource {
    private static let maximumDays = 4_000
    private static let maximumEnergyDays = 366

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("activity-summaries", use: summaries)
        group.get("energy-balance", use: energy)
    }

    // MARK: Rings

    @Sendable private func summaries(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let days = try DayRange(&parameters, calendar.timeZone, now: context.now, maximum: Self.maximumDays)
        try parameters.finish()
        return try await context.read { engine, caller in
            var found: [ActivitySummaryBody] = []
            do {
                found = try engine.activitySummaries(days.summaryDays, as: caller)
            } catch EngineError.authorizationNotDetermined {
                // A denied read is silence.
            }
            return Response.object { json in
                json.key("activitySummaries")
                json.array { json in for summary in found { Self.write(summary, &json) } }
            }
        }
    }

    private static func write(_ summary: ActivitySummaryBody, _ json: inout JSONText) {
        let isTime = summary.moveMode == 2
        json.object { json in
            let day = CivilDate.dayNumber(year: summary.year, month: summary.month, day: summary.day)
            json.member("date", text: LocalClock.dayText(number: day))
            json.member("activityMoveMode", integer: summary.moveMode)
            json.member("activityMoveModeName", text: isTime ? "appleMoveTime" : "activeEnergy")
            json.member("activeEnergyBurned", measure: summary.activeEnergyBurned)
            json.member("activeEnergyBurnedGoal", measure: summary.activeEnergyBurnedGoal)
            json.member("appleMoveTime", measure: summary.appleMoveTime)
            json.member("appleMoveTimeGoal", measure: summary.appleMoveTimeGoal)
            json.member("appleExerciseTime", measure: summary.appleExerciseTime)
            json.member("exerciseTimeGoal", measure: summary.appleExerciseTimeGoal)
            json.member("appleStandHours", measure: summary.appleStandHours)
            json.member("standHoursGoal", measure: summary.appleStandHoursGoal)
            json.key("isPaused")
            json.bool(summary.isPaused)
            json.key("rings")
            json.object { json in
                json.member(
                    "move",
                    number: isTime
                        ? share(summary.appleMoveTime, summary.appleMoveTimeGoal, "min")
                        : share(summary.activeEnergyBurned, summary.activeEnergyBurnedGoal, "kcal"))
                json.member("exercise", number: share(summary.appleExerciseTime, summary.appleExerciseTimeGoal, "min"))
                json.member("stand", number: share(summary.appleStandHours, summary.appleStandHoursGoal, "count"))
            }
        }
    }

    private static func share(_ value: QuantityRecord?, _ goal: QuantityRecord?, _ unit: String) -> Double? {
        func number(_ quantity: QuantityRecord?) -> Double? {
            quantity.flatMap { quantity in UnitConversion(between: quantity.unit, and: unit).map { $0(quantity.value) }
            }
        }
        return RingProgress.share(of: number(value) ?? 0, goal: number(goal))
    }

    // MARK: Energy

    @Sendable private func energy(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let days = try DayRange(&parameters, calendar.timeZone, now: context.now, maximum: Self.maximumEnergyDays)
        try parameters.finish()
        let reader = EnergyBalanceReader(store: context.healthStore(calendar: calendar), calendar: calendar)
        let now = context.now.timeIntervalSinceReferenceDate
        var answers: [(day: SummaryDay, balance: EnergyBalance)] = []
        for day in days.summaryDays where day.start <= now {
            // The balance of a day that is over is that of its last instant.
            let moment = Date(timeIntervalSinceReferenceDate: min(now, day.end.nextDown))
            answers.append((day, try await Self.silently { try await reader.balance(now: moment) }))
        }
        let instants = InstantWriter(timeZone: calendar.timeZone)
        func kilocalories(_ quantity: HKQuantity?) -> QuantityRecord? {
            quantity.map { QuantityRecord($0.doubleValue(for: .kilocalorie()), unit: "kcal") }
        }
        return .object { json in
            json.key("days")
            json.array { json in
                for (day, balance) in answers {
                    json.object { json in
                        json.member(
                            "date",
                            text: LocalClock.dayText(
                                number: CivilDate.dayNumber(year: day.day.year, month: day.day.month, day: day.day.day))
                        )
                        json.member("startDate", instant: day.start, instants)
                        json.member("endDate", instant: min(now, day.end), instants)
                        json.member("consumed", measure: kilocalories(balance.consumed))
                        json.member("active", measure: kilocalories(balance.active))
                        json.member("resting", measure: kilocalories(balance.resting))
                        json.member("net", measure: kilocalories(balance.net))
                        json.key("missing")
                        json.array { json in for missing in balance.missing { json.string(missing.rawValue) } }
                    }
                }
            }
        }
    }

    /// An application that was never asked about one of the types gets nothing.
    private static func silently(_ read: () async throws -> EnergyBalance) async throws -> EnergyBalance {
        do {
            return try await read()
        } catch let error as HKError where error.code == .errorAuthorizationNotDetermined {
            let none = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
            return EnergyBalance(consumed: none, active: none, resting: nil, missing: EnergyBalance.Missing.allCases)
        }
    }
}

/// The days that a request asks for with `start` and `end`; today without them.
struct DayRange: Sendable {
    /// The days with their bounds.
    let summaryDays: [SummaryDay]

    init(_ parameters: inout QueryParameters, _ timeZone: TimeZone, now: Date, maximum: Int) throws {
        let (start, end) = (try parameters.instant("start", timeZone), try parameters.instant("end", timeZone))
        let clock = LocalClock(timeZone: timeZone)
        let today = clock.dayNumber(at: now.timeIntervalSinceReferenceDate)
        let last =
            end.map { clock.dayNumber(at: $0.nextDown) } ?? max(today, start.map { clock.dayNumber(at: $0) } ?? today)
        let first = start.map { clock.dayNumber(at: $0) } ?? (end == nil ? today : last)
        guard first <= last else {
            guard let start, let end, start == end else {
                throw Problem(.invalidParameter, "end: The range ends before it starts.")
            }
            summaryDays = []
            return
        }
        guard last - first < maximum else {
            throw Problem(.invalidParameter, "end: The range has more than \(maximum) days.")
        }
        summaryDays = (first...last).map { SummaryDay(number: $0, in: clock) }
    }
}
