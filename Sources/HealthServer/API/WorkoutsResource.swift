import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import Hummingbird

/// Corrections of workouts.
struct WorkoutsResource: PersonResource {
    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.patch("workouts/{uuid}", use: correct)
    }

    @Sendable private func correct(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        var (parameters, calendar) = try context.parameters(of: request)
        try context.access.requireWritingOwner("correct workouts")
        let isDryRun = try parameters.flag("dryRun")
        try parameters.finish()
        let uuid = try context.uuid()
        let members = try await request.json(BodyValue.self).members()
        let (zone, now) = (calendar.timeZone, context.now.timeIntervalSinceReferenceDate)
        return try await context.read { engine, caller in
            let correction = try WorkoutCorrection(members, LocalClock(timeZone: zone), now: now)
            _ = try engine.sample(uuid, as: caller, of: [.workout])
            let correct = isDryRun ? engine.previewCorrection : engine.correctWorkout
            let outcome = try correct(uuid, correction, caller)
            return .object { json in
                json.member("uuid", text: outcome.uuid.uuidString)
                json.member("samplesOutside", integer: outcome.samplesOutside)
                json.member("locationsOutside", integer: outcome.locationsOutside)
                json.member("isMoved", flag: outcome.isMoved)
            }
        }
    }
}

extension WorkoutCorrection {
    /// Reads the members of a body.
    ///
    /// - Throws: ``Problem`` `invalidValue`.
    fileprivate init(_ members: [String: BodyValue], _ clock: LocalClock, now: Double) throws {
        self.init()
        switch members["workoutActivityType"] {
        case nil: break
        case .number(let number)?:
            guard let raw = UInt(exactly: number), ValueNames.activity(raw) != nil else {
                throw BodyValue.problem("workoutActivityType", "Use a name such as running.")
            }
            activityType = raw
        case .text(let text)?:
            guard let raw = try? ValueNames.activity(called: text) else {
                throw BodyValue.problem("workoutActivityType", "Use the name of one activity, such as running.")
            }
            activityType = raw
        default: throw BodyValue.problem("workoutActivityType", "Use a name such as running.")
        }
        switch members["title"] {
        case nil: break
        case .null?: title = ""
        case .text(let text)? where text.count <= Self.longestTitle: title = text
        default: throw BodyValue.problem("title", "Use null or a text of at most \(Self.longestTitle) characters.")
        }
        func instant(_ name: String) throws -> Double? {
            guard let value = members[name] else { return nil }
            guard case .text(let text) = value, let instant = clock.instant(of: text), instant <= now else {
                throw BodyValue.problem(name, "Use a time that has passed, in a form like 2025-05-01T08:00:00+02:00.")
            }
            return instant
        }
        (start, end) = (try instant("startDate"), try instant("endDate"))
    }

    private static let longestTitle = 200
}
