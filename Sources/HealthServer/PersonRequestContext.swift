import Foundation
import HTTPTypes
import HealthAccess
import HealthEngine
import HealthKit
import Hummingbird
import NIOCore

/// The context of every request. The server fills it before the route is found.
struct ServerRequestContext: RequestContext {
    var coreContext: CoreRequestContextStorage
    /// The connection; `nil` for a request within this process.
    let channel: (any Channel)?
    /// The server; set for every request that reaches a route.
    var core: ServerCore?
    /// The sender; `nil` without a token and a session.
    var identity: Identity?
    /// The person whose store is used, below a route with one.
    var admission: Admission?

    init(source: ApplicationRequestContextSource) {
        coreContext = CoreRequestContextStorage(source: source)
        channel = source.channel
    }

    /// - Throws: ``Problem`` `unauthenticated` without a token and a session.
    func requireIdentity() throws -> Identity {
        guard let identity else {
            throw Problem(
                .unauthenticated, "Send a token as “Authorization: Bearer TOKEN”, or sign in.",
                headers: Authenticator.challenge)
        }
        return identity
    }

    /// - Throws: ``Problem`` `forbidden` unless the sender administers the server.
    func requireServerOwner(_ action: String) throws {
        guard try requireIdentity().isServerOwner else {
            throw Problem(.forbidden, "Only the owner of the server can \(action).")
        }
    }
}

/// A person's store and what a request may do with it.
struct Admission: Sendable {
    var core: ServerCore
    var person: PersonStore
    var access: Access
    /// The time zone of the store, if it has one.
    var timeZone: TimeZone?
}

/// The context of requests about one person: below `/v1/people/{person}`, `/fhir/R4/people/{person}` and `/mcp`.
struct PersonRequestContext: ChildRequestContext {
    var coreContext: CoreRequestContextStorage
    /// The server, with its limits and clock.
    let core: ServerCore
    /// The person's store, which stays open while the context exists.
    let person: PersonStore
    /// The access of the request.
    let access: Access
    /// The person's time zone, else the server's.
    let timeZone: TimeZone
    /// The connection; `nil` for a request within this process.
    let channel: (any Channel)?

    init(context: ServerRequestContext) throws {
        guard let admission = context.admission else {
            throw Problem(.internalError, "The request didn’t pass the server’s checks.")
        }
        coreContext = context.coreContext
        channel = context.channel
        core = admission.core
        person = admission.person
        access = admission.access
        timeZone = admission.timeZone ?? admission.core.configuration.timeZone
    }

    /// The threads for work on stores.
    var pool: StorePool { core.pool }
    /// The current time.
    var now: Date { core.now() }
    /// The engine of the person's store.
    var engine: HealthEngine { person.engine }
    /// On whose behalf the engine acts.
    var caller: Caller { access.caller }

    /// Works on the store's engine on a thread of the pool.
    func read<Value: Sendable>(
        _ work: @escaping @Sendable (HealthEngine, Caller) throws -> Value
    ) async throws -> Value {
        let (engine, caller) = (engine, caller)
        return try await pool.run { try work(engine, caller) }
    }

    /// The answer to a request, as JSON, that is computed once until the store changes, with its entity tag.
    ///
    /// - Parameters:
    ///   - route: Distinguishes it from requests with the same query.
    ///   - day: The number of the day, for an answer that changes with it.
    func kept(
        _ route: String, _ request: Request, day: Int = 0, _ answer: () async throws -> [UInt8]
    ) async throws -> Response {
        let key = AnswerCache.Key(
            route: route, query: request.uri.query ?? "", caller: caller, timeZone: timeZone, day: day)
        let (known, version) = person.answers.answer(to: key)
        let buffer = if let known { known } else { ByteBuffer(bytes: try await answer()) }
        if known == nil { person.answers.keep(buffer, for: key, of: version) }
        var response = Response(json: buffer)
        response.headers[.eTag] = Revalidation.tag(of: buffer)
        response.headers[.vary] = "Accept"
        return response
    }

    /// The calendar of a request: Gregorian with weeks from Monday, in the time zone of the parameter `timeZone`, else
    /// in the person's.
    ///
    /// - Throws: ``Problem`` `invalidParameter` for a time zone that doesn't exist.
    func calendar(of request: Request) throws -> Calendar {
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = timeZone
        calendar.firstWeekday = 2
        if let name = request.uri.queryParameters["timeZone"] {
            guard let zone = TimeZone(identifier: String(name)) else {
                throw Problem(
                    .invalidParameter, "timeZone: “\(name)” is not a time zone. Use a name like Europe/Berlin.")
            }
            calendar.timeZone = zone
        }
        return calendar
    }

    /// A connection to the store on behalf of the caller, as an application uses it.
    func healthStore(calendar: Calendar) -> HKHealthStore {
        person.healthStore(as: caller, calendar: calendar)
    }

    /// The whole body of a request.
    ///
    /// - Throws: ``Problem`` `bodyTooLarge`.
    func body(of request: Request, upTo limit: Int? = nil) async throws -> ByteBuffer {
        try await request.wholeBody(upTo: limit ?? core.configuration.limits.bodyBytes)
    }
}

extension Request {
    /// Reads the whole body.
    ///
    /// - Throws: ``Problem`` `bodyTooLarge`, before reading if the header states the length.
    func wholeBody(upTo limit: Int) async throws -> ByteBuffer {
        let length = headers[.contentLength].flatMap { Int($0) }
        if let length, length > limit {
            throw Problem(.bodyTooLarge, "The body has \(length) bytes. At most \(limit) are accepted.")
        }
        // What a client promises is not reserved at once if it is a lot.
        var whole = ByteBuffer()
        whole.reserveCapacity(min(max(length ?? 0, 0), Self.reservedBodyBytes))
        for try await var part in body {
            guard whole.readableBytes + part.readableBytes <= limit else {
                throw Problem(.bodyTooLarge, "The body has more than \(limit) bytes.")
            }
            if whole.readableBytes == 0, part.readableBytes == length { return part }
            whole.writeBuffer(&part)
        }
        return whole
    }

    /// The memory that is reserved for a body before it arrives, in bytes.
    private static let reservedBodyBytes = 1 << 20
}
