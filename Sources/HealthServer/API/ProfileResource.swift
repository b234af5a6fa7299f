import Foundation
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthKit
import HealthModel
import Hummingbird
import HealthImport

/// Characteristics, goals and preferred units.
struct ProfileResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("characteristics", use: characteristics)
        group.patch("characteristics", use: changeCharacteristics)
        group.get("goals", use: goals)
        group.put("goals", use: setGoals)
        group.get("preferred-units", use: units)
        group.put("preferred-units", use: setUnits)
    }

    // MARK: Characteristics

    /// An enumeration of the profile, of Scripts/tables/characteristic-objects.tsv.
    struct Choice {
        var name: String
        var type: String
        var field: any WritableKeyPath<Profile, Int?> & Sendable
        var values: [(value: Int, name: String)]
    }

    private static let birth = "HKCharacteristicTypeIdentifierDateOfBirth"

    @Sendable private func characteristics(_ request: Request, _ context: PersonRequestContext) async throws -> Response
    {
        _ = try context.calendarOnly(of: request)
        return try await context.read { try Self.characteristics(of: $0, as: $1) }
    }

    private static func characteristics(of engine: HealthEngine, as caller: Caller) throws -> Response {
        let profile = try engine.profile.read()
        func mayRead(_ identifier: String) throws -> Bool {
            guard let type = TypeCatalog.description(for: identifier) else { return false }
            return try !engine.readable([type], as: caller).isEmpty
        }
        return try .object { json in
            if let birth = profile.dateOfBirth, try mayRead(Self.birth) { json.member("dateOfBirth", text: birth.text) }
            for choice in Choice.all {
                guard let value = profile[keyPath: choice.field], try mayRead(choice.type) else { continue }
                json.member(choice.name, integer: value)
                json.member(choice.name + "Name", text: choice.values.first { $0.value == value }?.name)
            }
        }
    }

    @Sendable private func changeCharacteristics(_ request: Request, _ context: PersonRequestContext) async throws
        -> Response
    {
        let calendar = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("change characteristics")
        let members = try await request.json(BodyValue.self).members()
        let today = LocalClock(timeZone: calendar.timeZone).dayNumber(at: context.now.timeIntervalSinceReferenceDate)
        return try await context.read { engine, caller in
            var changes: [(any WritableKeyPath<Profile, Int?> & Sendable, Int?)] = []
            for choice in Choice.all {
                guard let value = members[choice.name] else { continue }
                changes.append((choice.field, try value.choice(choice.name, choice.values)))
            }
            let birth = try members["dateOfBirth"].map { value -> Profile.Day? in
                guard let day = try value.day("dateOfBirth") else { return nil }
                guard CivilDate.dayNumber(year: day.year, month: day.month, day: day.day) <= today else {
                    throw BodyValue.problem("dateOfBirth", "It is in the future.")
                }
                return Profile.Day(year: day.year, month: day.month, day: day.day)
            }
            try engine.profile.update { profile in
                for (field, value) in changes { profile[keyPath: field] = value }
                if let birth { profile.dateOfBirth = birth }
            }
            return try Self.characteristics(of: engine, as: caller)
        }
    }

    // MARK: Goals

    private struct Goal {
        var name: String
        var unit: String
        var field: any WritableKeyPath<ActivityGoals, Double?> & Sendable
        /// The goal of a day.
        var ofDay: any KeyPath<ActivitySummaryBody, QuantityRecord?> & Sendable

        static let all = [
            Goal(name: "activeEnergyBurnedGoal", unit: "kcal", field: \.moveEnergy, ofDay: \.activeEnergyBurnedGoal),
            Goal(name: "appleMoveTimeGoal", unit: "min", field: \.moveTime, ofDay: \.appleMoveTimeGoal),
            Goal(name: "exerciseTimeGoal", unit: "min", field: \.exercise, ofDay: \.appleExerciseTimeGoal),
            Goal(name: "standHoursGoal", unit: "count", field: \.stand, ofDay: \.appleStandHoursGoal),
        ]
    }

    /// The days up to today, of which the latest with rings has the goals that a watch set.
    private static func recentDays(_ context: PersonRequestContext, _ calendar: Calendar) -> [SummaryDay] {
        let clock = LocalClock(timeZone: calendar.timeZone)
        let today = clock.dayNumber(at: context.now.timeIntervalSinceReferenceDate)
        return (today - 13...today).map { SummaryDay(number: $0, in: clock) }
    }

    @Sendable private func goals(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let calendar = try context.calendarOnly(of: request)
        let days = Self.recentDays(context, calendar)
        return try await context.read { try Self.goals(of: $0, as: $1, days) }
    }

    private static func goals(of engine: HealthEngine, as caller: Caller, _ days: [SummaryDay]) throws -> Response {
        let summary = TypeCatalog.all.filter { $0.kind == .activitySummary }
        let mayRead = try !engine.readable(summary, as: caller).isEmpty
        let profile = mayRead ? try engine.profile.read() : Profile()
        let recent = mayRead ? try engine.activitySummaries(days, as: caller).last : nil
        let latest =
            try recent ?? (mayRead ? days.first : nil).flatMap { try engine.lastGoals(before: $0.start, as: caller) }
        let own = days.last.map { profile.goals(on: $0.day) }
        let energy = try TypeCatalog.description(for: "HKQuantityTypeIdentifierActiveEnergyBurned").map {
            try engine.displayUnit(of: $0, as: caller)
        }
        func write(_ json: inout JSONText, _ value: (Goal) -> Double?) {
            for goal in Goal.all {
                let unit = goal.unit == "kcal" ? energy ?? goal.unit : goal.unit
                let shown = value(goal).flatMap { QuantityRecord($0, unit: goal.unit).value(in: unit) }
                json.member(goal.name, measure: shown.map { QuantityRecord($0, unit: unit) })
            }
        }
        return .object { json in
            json.array("goals") { json in
                for entry in profile.goals {
                    json.object { json in
                        json.member("from", text: entry.from.text)
                        write(&json) { entry[keyPath: $0.field] }
                    }
                }
            }
            json.object("current") { json in
                write(&json) { goal in
                    own?[keyPath: goal.field]
                        ?? latest?[keyPath: goal.ofDay].flatMap { quantity in
                            UnitConversion(between: quantity.unit, and: goal.unit).map { $0(quantity.value) }
                        }
                }
            }
        }
    }

    @Sendable private func setGoals(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let calendar = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("set goals")
        let members = try await request.json(BodyValue.self).members()
        let days = Self.recentDays(context, calendar)
        return try await context.read { engine, caller in
            let from = try members["from"]?.day("from").map { Profile.Day(year: $0.year, month: $0.month, day: $0.day) }
            var goals = ActivityGoals(from: from ?? days[days.count - 1].day)
            for goal in Goal.all {
                guard let value = try members[goal.name]?.quantity(goal.name, in: goal.unit) else { continue }
                guard value >= 0, value < 1e6 else {
                    throw BodyValue.problem(goal.name, "Use a number of at least 0.")
                }
                goals[keyPath: goal.field] = value
            }
            try engine.profile.update { $0.setGoals(goals) }
            return try Self.goals(of: engine, as: caller, days)
        }
    }

    // MARK: Units

    @Sendable private func units(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (names, calendar) = try context.parameters(of: request) { try $0.list("types") }
        let types = try await context.read { engine, caller in
            let all = try engine.types(names, parameter: "types") ?? engine.typeOverview(as: caller).map(\.type)
            return try engine.readable(all.filter { $0.kind == .quantity }, as: caller)
        }
        return try await Self.units(of: types, context, calendar)
    }

    private static func units(
        of types: [TypeDescription], _ context: PersonRequestContext, _ calendar: Calendar
    ) async throws -> Response {
        let known = Set(types.compactMap { HKObjectType.quantityType(forIdentifier: .init(rawValue: $0.identifier)) })
        let units = known.isEmpty ? [:] : try await context.healthStore(calendar: calendar).preferredUnits(for: known)
        return .object { json in
            json.object("preferredUnits") { json in
                for (type, unit) in units.sorted(by: { $0.key.identifier < $1.key.identifier }) {
                    json.member(type.identifier, text: unit.unitString)
                }
            }
        }
    }

    @Sendable private func setUnits(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let calendar = try context.calendarOnly(of: request)
        try context.access.requireWritingOwner("set preferred units")
        let members = try await request.json(BodyValue.self).members()
        guard let given = members["preferredUnits"], case .object(let entries) = given else {
            throw BodyValue.problem("preferredUnits", "Use an object with units by type.")
        }
        let types = try await context.read { engine, _ in
            let dictionaries = try engine.dictionaries()
            var changes: [(TypeDescription, String?)] = []
            for (name, value) in entries.sorted(by: { $0.key < $1.key }) {
                guard let type = dictionaries.type(named: name), let canonical = type.canonicalUnit else {
                    throw BodyValue.problem("preferredUnits", "Each name must be a quantity type of HealthKit.")
                }
                switch value {
                case .null: changes.append((type, nil))
                case .text(let text):
                    guard let unit = try? UnitExpression(words: text, of: type),
                        let own = try? UnitExpression(parsing: canonical), unit.isCompatible(with: own)
                    else {
                        throw BodyValue.problem("preferredUnits", "\(type.shortName) needs a unit like \(canonical).")
                    }
                    changes.append((type, unit.string))
                default: throw BodyValue.problem("preferredUnits", "Use null or a unit string like \(canonical).")
                }
            }
            try engine.profile.update { profile in
                for (type, unit) in changes { profile.preferredUnits[type.identifier] = unit }
            }
            return changes.map(\.0)
        }
        return try await Self.units(of: types, context, calendar)
    }
}

extension Profile.Day {
    /// `1984-03-01`.
    var text: String {
        LocalClock.dayText(number: CivilDate.dayNumber(year: year, month: month, day: day))
    }
}
