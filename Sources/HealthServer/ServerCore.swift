import Foundation
import HealthAccess
import HealthEngine
import HealthModel
import HealthStorage
import Hummingbird
import Logging
import NIOCore

/// The state that all requests of one server share.
final class ServerCore: Sendable {
    let configuration: AppConfiguration
    let directory: StoreDirectory
    let demos: DemoStores
    let pool: StorePool
    let readiness: Readiness
    let imports: ImportJobs
    let registry: AccessRegistry
    let authenticator: Authenticator
    let hosts: HostNames
    let requests: RateLimiter
    let failures: RateLimiter
    let passwords = PasswordChecker()
    let authorizationCodes: AuthorizationCodes
    let streams: StreamLimiter
    let metrics: ServerMetrics
    let audit: AuditLog
    let webhooks: WebhookDelivery
    let page: DashboardFiles
    let logger: Logger
    /// The clock.
    let now: @Sendable () -> Date

    /// - Throws: ``ServerError`` if the page's files aren't found, and errors of the audit log.
    init(configuration: AppConfiguration) throws {
        let (now, limits) = (configuration.now, configuration.limits)
        self.configuration = configuration
        self.now = now
        logger = configuration.logger
        let (pool, imports) = (StorePool(limits: limits), ImportJobs())
        self.pool = pool
        self.imports = imports
        directory = StoreDirectory(
            location: configuration.location, maximumOpen: limits.openStores, now: now,
            onOpen: { imports.resume($0, pool: pool, retries: true) })
        demos = DemoStores(folder: configuration.location.serverFolder + "/demos", pool: pool, now: now)
        let directory = directory
        webhooks = WebhookDelivery(configuration: configuration, directory: directory, pool: pool)
        readiness = Readiness { try directory.checkReachable() }
        registry = AccessRegistry(location: configuration.location, now: now)
        authenticator = Authenticator(registry: registry, pool: pool, isSecure: configuration.isSecure)
        hosts = HostNames(configuration)
        requests = RateLimiter(perSecond: limits.requestsPerSecond, burst: limits.requestBurst, now: now)
        failures = RateLimiter(
            perSecond: limits.failuresPerMinute / 60, burst: max(limits.failuresPerMinute, 1), now: now)
        authorizationCodes = AuthorizationCodes(now: now)
        streams = StreamLimiter(maximum: limits.streams, maximumPerIdentity: limits.streamsPerIdentity)
        metrics = ServerMetrics()
        audit = try AuditLog(path: configuration.location.auditLog, now: now)
        page = try DashboardFiles(path: configuration.pageFolder)
    }

    /// The URL of the server as the sender of a request knows it, without a slash at its end.
    func url(of request: Request) -> String {
        if let known = configuration.publicURL, var parts = URLComponents(url: known, resolvingAgainstBaseURL: false) {
            // As clients write it that compare URLs.
            parts.host = parts.host?.lowercased()
            if parts.port == (parts.scheme == "https" ? 443 : 80) { parts.port = nil }
            let text = parts.string ?? known.absoluteString
            return text.hasSuffix("/") ? String(text.dropLast()) : text
        }
        let scheme = configuration.tls == nil ? "http" : "https"
        return "\(scheme)://\(request.head.authority ?? "localhost:\(configuration.port)")"
    }

    /// The URL for assistants.
    func assistantURL(of request: Request) -> String { url(of: request) + "/mcp" }

    /// Counts a failed authentication of an address. Those that another site makes a browser send aren't its owner's.
    ///
    /// - Throws: ``Problem`` `tooManyRequests` if there were too many of the address.
    func countFailure(of request: Request, from channel: (any Channel)?) throws {
        guard !SameOrigin.isCrossSite(request) else { return }
        if let seconds = failures.take(hosts.limitedAddress(of: request, channel: channel)) {
            throw Problem(tooMany: "Too many failed attempts to sign in came from this address.", seconds: seconds)
        }
    }

    /// Checks a password, of which each address may try some a minute. More aren't even looked at, because a right one
    /// would be found by trying all; browsers that have signed in before have a separate limit, so that other clients
    /// can't lock them out.
    ///
    /// - Throws: ``Problem`` `tooManyRequests`.
    func check(
        password: String, of stored: StoredPassword?, _ request: Request, from channel: (any Channel)?
    ) async throws -> Bool {
        let key = stored?.browser.map { "device " + $0 } ?? hosts.limitedAddress(of: request, channel: channel)
        // Before the check, so that guesses at the same time count, too.
        if let seconds = failures.take(key) {
            throw Problem(tooMany: "Too many failed attempts to sign in came from this address.", seconds: seconds)
        }
        guard await passwords.check(password, stored) else { return false }
        failures.giveBack(key)
        return true
    }

    /// Admits an identity to a person's store, or to its own of a fictional person.
    ///
    /// - Parameter timeZone: Where a fictional person lives; `nil` for where the server is.
    /// - Throws: ``Problem`` `wrongPerson`, whether or not the person exists, and `notFound`; storage errors.
    func admit(
        _ identity: Identity, to person: String, in timeZone: TimeZone? = nil
    ) async throws -> Admission {
        let access = Access(identity: identity, caller: Caller(identity))
        if person == DemoStores.person, access.isOwner, identity.cohort == nil {
            let store = try await demos.store(of: identity, in: timeZone ?? configuration.timeZone)
            return Admission(
                core: self, person: store, access: access, timeZone: try await pool.run { try store.timeZone() })
        }
        guard identity.mayAccess(person) else {
            throw Problem(.wrongPerson, "The token or session isn’t for this person.")
        }
        let store: PersonStore
        let zone: TimeZone?
        if let open = directory.openStore(of: person), open.knownTimeZone.isRecent {
            (store, zone) = (open, open.knownTimeZone.zone)
        } else {
            let directory = directory
            (store, zone) = try await pool.run {
                let store = try directory.store(of: person)
                return (store, try store.timeZone())
            }
        }
        return Admission(core: self, person: store, access: access, timeZone: zone)
    }

    /// The person of a request that names none: the only one whom the identity may access.
    ///
    /// - Parameter place: Where the request could name the person, for the error.
    /// - Throws: ``Problem`` `invalidParameter` if there are several.
    func onlyPerson(of identity: Identity, namedIn place: String = "parameter “person”") async throws -> String {
        if let people = identity.people, people.count == 1, let person = people.first { return person }
        let directory = directory
        let selection = PeopleSelection(among: identity.people, limit: 2)
        let people = try await pool.run { try directory.people(selection) }
        guard let person = people.first, people.count == 1 else {
            throw Problem(.invalidParameter, "Name the person with the \(place).")
        }
        return person.person
    }
}

extension Caller {
    /// The caller that acts for an identity: the person, or the application of a token.
    init(_ identity: Identity) {
        guard let application = identity.application else {
            self = .person
            return
        }
        let source = SourceRecord(bundleIdentifier: application.bundleIdentifier, name: application.name)
        self.init(revision: SourceRevisionRecord(source: source), permission: .table)
    }
}
