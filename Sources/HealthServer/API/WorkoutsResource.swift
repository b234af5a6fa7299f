import Foundation
import HealthEngine
import HealthFormats
import HealthInsights
import HealthJSON
import HealthKit
import HealthModel
import HealthStorage
import Hummingbird

/// Workouts with their routes, zones and statistics.
struct WorkoutsResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("workouts", use: list)
        group.get("workouts/{uuid}", use: read)
        group.get("workouts/{uuid}/route", use: route)
        group.get("workouts/{uuid}/zones", use: zones)
        group.get("workouts/{uuid}/statistics", use: statistics)
        group.get("workouts/{uuid}/splits", use: splits)
    }

    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try await ObjectLists.list("HKWorkoutTypeIdentifier", named: "workouts", request, context)
    }

    @Sendable private func read(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        try parameters.finish()
        let (uuid, zone) = (try context.uuid(), calendar.timeZone)
        return try await context.read { engine, caller in
            let selection = try engine.sample(uuid, as: caller, of: [.workout])
            var writer = SampleJSONWriter(selection, timeZone: zone)
            writer.write(selection)
            return Response(json: writer.bytes)
        }
    }

    // MARK: Route

    @Sendable private func route(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let points = try parameters.integer("points", in: 2...1_000_000)
        try parameters.finish()
        let (uuid, zone) = (try context.uuid(), calendar.timeZone)
        return try await context.read { engine, caller in
            _ = try engine.sample(uuid, as: caller, of: [.workout])
            let routes = try engine.routes(of: uuid, as: caller)
            let instants = InstantWriter(timeZone: zone)
            return Response.object { json in
                json.member("workout", text: uuid.uuidString)
                json.key("routes")
                json.array { json in
                    for route in routes {
                        guard case .document(let document) = route.body else { continue }
                        json.object { json in
                            json.member("uuid", text: route.uuid?.uuidString)
                            json.member("startDate", instant: route.start, instants)
                            json.member("endDate", instant: route.end, instants)
                            json.locations(points.map { document.thinned(to: $0) } ?? document, instants)
                        }
                    }
                }
            }
        }
    }

    // MARK: Figures

    @Sendable private func zones(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        try parameters.finish()
        let uuid = try context.uuid()
        let stored = try await context.read { engine, caller -> [WorkoutZoneRecord] in
            let selection = try engine.sample(uuid, as: caller, of: [.workout])
            guard case .workout(let workout)? = selection.objects.first?.body else { return [] }
            return workout.zones
        }
        let groups = stored.isEmpty ? try await heartRateZones(of: uuid, context, calendar) : stored
        return .object { json in
            json.member("workout", text: uuid.uuidString)
            json.key("zoneGroups")
            json.array { json in for group in groups { json.zoneGroup(group) } }
        }
    }

    /// The zones that HealthInsights calculates for a workout that was recorded without them.
    private func heartRateZones(
        of uuid: UUID, _ context: PersonRequestContext, _ calendar: Calendar
    ) async throws -> [WorkoutZoneRecord] {
        let (workout, history) = try await workout(uuid, context, calendar)
        guard let zones = try await silently({ try await history.heartRateZones(of: workout) }), !zones.zones.isEmpty
        else {
            return []
        }
        return [
            WorkoutZoneRecord(
                type: HKQuantityTypeIdentifier.heartRate.rawValue, unit: "count/min",
                boundaries: zones.zones.compactMap(\.minimum), source: .system, durations: zones.zones.map(\.duration))
        ]
    }

    @Sendable private func statistics(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        try parameters.finish()
        let uuid = try context.uuid()
        let workout = try await workout(uuid, context, calendar).workout
        let instants = InstantWriter(timeZone: calendar.timeZone)
        let all = workout.allStatistics.sorted { $0.key.identifier < $1.key.identifier }
        return .object { json in
            json.member("workout", text: uuid.uuidString)
            json.key("statistics")
            json.array { json in
                for (type, figures) in all {
                    guard let description = TypeCatalog.description(for: type.identifier),
                        let unit = description.canonicalUnit
                    else { continue }
                    let wanted = HKUnit(from: unit)
                    func number(_ quantity: HKQuantity?) -> Double? { quantity?.doubleValue(for: wanted) }
                    json.statistics(
                        WorkoutBody.Statistics(
                            type: type.identifier, start: figures.startDate.timeIntervalSinceReferenceDate,
                            end: figures.endDate.timeIntervalSinceReferenceDate, unit: unit,
                            sum: number(figures.sumQuantity()),
                            average: number(figures.averageQuantity()), minimum: number(figures.minimumQuantity()),
                            maximum: number(figures.maximumQuantity())), instants)
                }
            }
        }
    }

    @Sendable private func splits(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        let name = try parameters.text("length") ?? "km"
        try parameters.finish()
        guard let length = ["km": WorkoutSplit.Length.kilometer, "mi": .mile][name] else {
            throw QueryParameters.problem("length", name, "is not a length. Use km or mi.")
        }
        let uuid = try context.uuid()
        let (workout, history) = try await workout(uuid, context, calendar)
        let found = try await silently { try await history.splits(of: workout, per: length) }
        let instants = InstantWriter(timeZone: calendar.timeZone)
        return .object { json in
            json.member("workout", text: uuid.uuidString)
            json.member("length", text: name)
            json.member("origin", text: found.map { "\($0.origin)" })
            json.key("splits")
            json.array { json in
                for split in found?.splits ?? [] {
                    json.object { json in
                        json.member("number", integer: split.number)
                        json.member("meters", number: split.meters)
                        json.member("startDate", instant: split.start.timeIntervalSinceReferenceDate, instants)
                        json.member("endDate", instant: split.end.timeIntervalSinceReferenceDate, instants)
                        json.member("duration", number: split.duration)
                        json.member("pace", number: split.pace)
                        json.member("averageHeartRate", number: split.averageHeartRate)
                        json.key("isComplete")
                        json.bool(split.isComplete)
                    }
                }
            }
        }
    }

    private func workout(
        _ uuid: UUID, _ context: PersonRequestContext, _ calendar: Calendar
    ) async throws -> (workout: HKWorkout, history: WorkoutHistory) {
        _ = try await context.read { engine, caller in try engine.sample(uuid, as: caller, of: [.workout]) }
        let store = context.healthStore(calendar: calendar)
        let found = try await HKSampleQueryDescriptor(
            predicates: [.workout(HKQuery.predicateForObject(with: uuid))], sortDescriptors: [], limit: 1
        ).result(for: store)
        guard let workout = found.first else {
            throw Problem(.notFound, "No object with this UUID was found, or it’s not accessible.")
        }
        return (workout, WorkoutHistory(store: store, calendar: calendar))
    }

    /// What an application may not read is left out.
    private func silently<Value>(_ read: () async throws -> Value?) async throws -> Value? {
        do {
            return try await read()
        } catch let error as HKError where error.code == .errorAuthorizationNotDetermined {
            return nil
        }
    }
}

/// Lists of the objects of one type.
enum ObjectLists {
    /// A page of objects, the newest first.
    static func list(
        _ identifier: String, named name: String, _ request: Request, _ context: PersonRequestContext
    ) async throws -> Response {
        let (parameters, calendar) = try context.parameters(of: request)
        let wantsLines = SampleMedia.wantsLines(request)
        let zone = calendar.timeZone
        let list = try await context.read { [parameters] engine, caller in
            var parameters = parameters
            let types = [TypeCatalog.description(for: identifier)].compactMap { $0 }
            return try SampleList(
                &parameters, types: types, engine: engine, caller: caller, zone, try engine.dictionaries(),
                isUnlimited: wantsLines, defaultOrder: .startDateDescending)
        }
        try list.parameters.finish()
        if wantsLines { return try list.lines(from: context) }
        return try await list.page(named: name, from: context)
    }
}

extension HealthEngine {
    /// The routes of a workout, in the order of their start; none if routes may not be read.
    func routes(of workout: UUID, as caller: Caller) throws -> [ObjectRecord] {
        guard let type = TypeCatalog.description(for: "HKWorkoutRouteTypeIdentifier"),
            try !readable([type], as: caller).isEmpty
        else { return [] }
        return try samples(
            SampleRequest(parts: [.init(type: type.code, filter: .memberOf(workout))], sort: [SampleSort(.start)]),
            as: caller
        ).objects
    }
}

extension DocumentBody {
    /// The document with at most `count` rows, evenly distributed, with the first and the last: enough to draw a route.
    fileprivate func thinned(to count: Int) -> DocumentBody {
        let rows = series.values.map(\.count).max() ?? 0
        guard rows > count, count > 1 else { return self }
        let chosen = (0..<count).map { $0 * (rows - 1) / (count - 1) }
        var thinned = self
        thinned.series = series.mapValues { column in chosen.compactMap { $0 < column.count ? column[$0] : nil } }
        return thinned
    }
}
