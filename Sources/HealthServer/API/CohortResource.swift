import Foundation
import HTTPTypes
import HealthAccess
import HealthAnswers
import HealthCohort
import HealthModel
import HealthStorage
import Hummingbird
import NIOCore
import Synchronization

/// Figures over many people, for tokens of the scope `cohort`: `GET /v1/cohort/statistics`.
///
/// Such a token reads nothing of a single person, and an answer has no interval with fewer people than the server's
/// minimum.
final class CohortResource: ServerResource {
    private let core: ServerCore
    /// Whether an answer is being computed: it takes all cores.
    private let isBusy = Mutex(false)

    init(core: ServerCore) {
        self.core = core
    }

    private struct Answer: Encodable {
        struct Row: Encodable {
            var start: String
            var end: String
            var people: Int
            var sum: Double
            var mean: Double
            var standardDeviation: Double
            var quantiles: [String: Double]
        }

        var type: String
        var figure: String
        var unit: String
        var interval: String
        var timeZone: String
        var minimumPeople: Int
        var people: Int
        var unreadablePeople: Int
        var withheldIntervals: Int
        var rows: [Row]
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/v1/cohort/statistics", use: statistics)
    }

    @Sendable private func statistics(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        guard let cohort = identity.cohort else {
            throw Problem(
                .forbidden, "This is for tokens of the scope “cohort”. Create one with “hk token add NAME --cohort”.")
        }
        let query = try query(request, cohort)
        let (directory, chosen) = (core.directory, try people(request, of: cohort))
        guard
            isBusy.withLock({ isBusy in
                defer { isBusy = true }
                return !isBusy
            })
        else {
            throw Problem(.overloaded, "Another cohort is being read. Repeat the request.", headers: [.retryAfter: "5"])
        }
        defer { isBusy.withLock { $0 = false } }
        let registry = core.registry
        let answer = try await core.pool.run(longWork: { goesOn in
            // Days of another time zone differ from these by the samples of some hours.
            let zone = try cohort.timeZone ?? registry.setTimeZone(query.timeZone.identifier, of: identity.id)
            guard zone == query.timeZone.identifier else {
                throw Problem(.forbidden, "The days of this token are those of \(zone). Omit “timeZone”.")
            }
            let everyone = try chosen ?? directory.people().map(\.person)
            guard goesOn() else { throw CancellationError() }
            return try CohortRun(query, people: everyone, stores: directory).answer { _, _ in goesOn() }
        })
        return try response(to: request, query, answer)
    }

    /// Who is asked: the people of the token, of whom the parameter chooses some if the token may.
    private func people(_ request: Request, of cohort: CohortScope) throws -> [String]? {
        var parameters = try QueryParameters(request)
        guard let named = try parameters.list("people") else { return cohort.people?.sorted() }
        guard cohort.mayChoose else {
            throw Problem(
                .forbidden,
                "This token’s people are fixed. Omit “people”, or make a token with “hk token add NAME --cohort --choose”."
            )
        }
        for person in named where try !cohort.contains(person) || !core.directory.exists(person) {
            throw Problem(.wrongPerson, "The token isn’t for this person.")
        }
        return named
    }

    private func query(_ request: Request, _ cohort: CohortScope) throws -> CohortRequest {
        var parameters = try QueryParameters(request)
        let usual = cohort.timeZone.flatMap { TimeZone(identifier: $0) } ?? core.configuration.timeZone
        let timeZone = try parameters.timeZone(default: usual)
        let type = try parameters.type("type", StoreDictionaries())
        guard let start = try parameters.instant("start", timeZone) else {
            throw Problem(.invalidParameter, "start: This parameter is required.")
        }
        let end = try parameters.instant("end", timeZone) ?? core.now().timeIntervalSinceReferenceDate
        let interval = try parameters.choice("interval", of: CohortRequest.Interval.self) ?? .week
        let figure = try parameters.choice("figure", of: CohortRequest.Figure.self)
        let quantiles = try parameters.list("quantiles")?.map { text in
            guard let number = Double(text) else {
                throw QueryParameters.problem("quantiles", text, "is not a number.")
            }
            return number
        }
        let minimum = core.configuration.limits.cohortMinimum
        let asked = try parameters.integer("minimumPeople", in: 2...1_000_000) ?? minimum
        guard asked >= minimum else {
            throw Problem(
                .invalidParameter, "minimumPeople: This server gives no figures of fewer than \(minimum) people.")
        }
        let unit = try parameters.unit("unit")
        _ = try parameters.list("people")
        try parameters.finish()
        do {
            return try CohortRequest(
                type: type, figure: figure, interval: interval,
                range: Date(
                    timeIntervalSinceReferenceDate: start)..<Date(timeIntervalSinceReferenceDate: max(start, end)),
                timeZone: timeZone, quantiles: quantiles ?? [0.25, 0.5, 0.75], minimumPeople: asked, unit: unit
            ).protectingPeople(asOf: core.now())
        } catch let error as CohortError {
            throw Problem(.invalidParameter, error.description)
        }
    }

    private func response(to request: Request, _ query: CohortRequest, _ answer: CohortAnswer) throws -> Response {
        let table = CohortTable(query, answer)
        let accept = request.headers[.accept] ?? ""
        if accept.contains("text/csv") { return Self.text(table.csv, "text/csv; charset=utf-8") }
        if accept.contains("application/x-ndjson") { return Self.text(try table.jsonLines(), "application/x-ndjson") }
        return try .json(
            Answer(
                type: query.type.identifier, figure: query.figure.rawValue, unit: query.unit,
                interval: query.interval.rawValue, timeZone: query.timeZone.identifier,
                minimumPeople: query.minimumPeople, people: answer.people, unreadablePeople: answer.failures.count,
                withheldIntervals: answer.withheldIntervals,
                rows: answer.rows.map { row in
                    Answer.Row(
                        start: query.day(row.start), end: query.day(row.end), people: row.people, sum: row.sum,
                        mean: row.mean, standardDeviation: row.standardDeviation,
                        quantiles: table.named(row.quantiles))
                }))
    }

    private static func text(_ text: String, _ type: String) -> Response {
        Response(status: .ok, headers: [.contentType: type], body: ResponseBody(byteBuffer: ByteBuffer(string: text)))
    }
}

extension QueryParameters {
    fileprivate mutating func timeZone(default zone: TimeZone) throws -> TimeZone {
        guard let name = try text("timeZone") else { return zone }
        // Days that begin some minutes later tell single samples.
        let isPlace = TimeZone.knownTimeZoneIdentifiers.contains(name) || ["UTC", "GMT"].contains(name)
        guard isPlace, let found = TimeZone(identifier: name) else {
            throw Self.problem("timeZone", name, "is not the time zone of a place. Use a name like Europe/Berlin.")
        }
        return found
    }
}
