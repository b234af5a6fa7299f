import Foundation
import HTTPTypes
import HealthAccess
import Hummingbird
import Synchronization

/// A family of routes about one person, below `/v1/people/{person}`.
protocol PersonResource: Sendable {
    /// Adds the routes to the group of the person.
    func addRoutes(to group: RouterGroup<PersonRequestContext>)
}

/// A family of routes about the server.
protocol ServerResource: Sendable {
    /// Adds the routes to a group at the root.
    func addRoutes(to group: RouterGroup<ServerRequestContext>)
}

/// All resources of the server. A resource is listed here, once; its own file declares its routes.
enum Routes {
    /// Resources below `/v1/people/{person}`.
    static func personResources(_ core: ServerCore) -> [any PersonResource] {
        [
            SamplesResource(), AnswersResource(), WorkoutsResource(), WorkoutFilesResource(), ChangesResource(),
            RecordingsResource(), WebhooksResource(core: core),
            ProfileResource(), ChartSettingsResource(), FoodsResource(), SourcesResource(), SQLResource(),
            SyncResource(),
            IngestResource(),
            ImportsResource(jobs: core.imports),
            ExportsResource(),
        ]
    }

    /// Resources that require a token or a session, about no person in particular.
    static func serverResources(_ core: ServerCore) -> [any ServerResource] {
        [
            PeopleResource(core: core), TokensResource(core: core), PasswordResource(core: core),
            SignInLinksResource(core: core), ConsentResource(core: core),
            CohortResource(core: core),
        ]
    }

    /// Resources for everyone, without health data. Each checks what it requires itself.
    static func publicResources(_ core: ServerCore) -> [any ServerResource] {
        [
            SessionResource(core: core), StatusResource(core: core), OpenAPIResource(),
            FHIRMetadataResource(core: core), OAuthResource(core: core), DashboardResource(core: core),
        ]
    }

    /// The router with all routes, and their list.
    static func router(_ core: ServerCore) -> (router: Router<ServerRequestContext>, list: RouteList) {
        let recorder = RouteRecorder()
        let root = recorder.group("", requires: .nothing)
        for resource in publicResources(core) { resource.addRoutes(to: root) }
        let server = recorder.group("", requires: .identity).add(middleware: IdentityCheck())
        for resource in serverResources(core) { resource.addRoutes(to: server) }
        let people: [(RouterPath, PersonAdmission.Source, [any PersonResource])] = [
            ("/v1/people/{person}", .path, personResources(core)),
            ("/fhir/R4/people/{person}", .path, [FHIRResource()]),
            // About the only person of the token or the one named by the parameter `person`.
            ("/mcp", .identity, [AssistantResource(core: core)]),
        ]
        for (path, source, resources) in people {
            let outer = recorder.group(path, requires: .person)
            if path.description.hasPrefix("/fhir/") { outer.add(middleware: FHIRProblems()) }
            let group =
                outer
                .add(middleware: PersonAdmission(core: core, source: source))
                .group(context: PersonRequestContext.self)
            for resource in resources { resource.addRoutes(to: group) }
        }
        return (recorder.router, RouteList(recorder.routes, templates: recorder.templates))
    }

    /// Returns whether a path is of an interface to health data, not of a file of the page or of the server's state.
    static func isData(_ path: String) -> Bool {
        ["/v1/", "/fhir/", "/mcp/"].contains { (path + "/").hasPrefix($0) }
    }

    /// Returns whether the sender of a request matters. Who signs in states that in the body, also in a browser with the
    /// cookie of a session whose secret is lost.
    static func needsIdentity(_ request: Request) -> Bool {
        let path = request.uri.path
        return isData(path) && !(request.method == .post && path == "/v1/session") || path == "/metrics"
    }

    /// Routes that only read although their method is `POST`.
    static let readingPosts: Set<String> = ["/v1/people/{person}/sql", "/mcp"]

    /// Returns whether a link may read a route about a person: what the page shows of types. The engine checks the types.
    static func isOpenToLinks(_ template: String) -> Bool {
        let parts = template.split(separator: "/")
        guard template.hasPrefix("/v1/people/{person}/"), parts.count > 3 else { return false }
        return !["goals", "ingest", "sql", "sync"].contains(parts[3])
    }

    /// Returns whether application tokens may use a route about a person. Where they may, the engine checks every type
    /// and direction; other routes concern the store as a whole and are for someone who acts as the person.
    static func isOpenToApplications(_ method: HTTPRequest.Method, _ template: String) -> Bool {
        let parts = template.split(separator: "/").drop { $0 != "{person}" }.dropFirst()
        let first = parts.first ?? ""
        if template.hasPrefix("/fhir/") || template == "/mcp" { return true }
        switch first {
        case "imports", "exports", "authorizations": return false
        case "samples", "ingest", "sync", "sql", "webhooks": return true
        default: return SameOrigin.isSafe(method)
        }
    }
}

/// One route.
struct RouteDescription: Hashable, Sendable {
    /// The condition under which a request reaches the handler.
    enum Requirement: Hashable, Sendable {
        /// Nothing; the handler checks what it requires itself.
        case nothing
        /// A token or a session.
        case identity
        /// A token or a session for the person.
        case person
    }

    var method: HTTPRequest.Method
    /// The path with `{…}` for parameters, such as `/v1/people/{person}/samples`.
    var template: String
    var requirement: Requirement
}

/// The routes of a server, in the order in which they were added.
struct RouteList: Sendable {
    let routes: [RouteDescription]
    /// The templates by the paths as the router has them, so that a request doesn't build its own.
    let templates: [String: String]
    private let patterns: [(parts: [Substring], method: HTTPRequest.Method)]

    init(_ routes: [RouteDescription], templates: [String: String] = [:]) {
        self.routes = routes
        self.templates = templates
        // A route for all paths doesn't say which methods a path has.
        patterns = routes.filter { !$0.template.contains("**") }.map { ($0.template.split(separator: "/"), $0.method) }
    }

    /// The methods of a path, in alphabetical order; none if the path doesn't exist.
    func methods(of path: String) -> [String] {
        let parts = path.split(separator: "/")
        let found = patterns.filter { pattern in
            pattern.parts.count == parts.count && zip(pattern.parts, parts).allSatisfy { $0.hasPrefix("{") || $0 == $1 }
        }.map(\.method)
        return Set(found + (found.contains(.get) ? [.head] : [])).map(\.rawValue).sorted()
    }
}

/// Adds routes to a router and keeps their list.
final class RouteRecorder: RouterMethods {
    typealias Context = ServerRequestContext

    let router = Router(context: ServerRequestContext.self, options: .autoGenerateHeadEndpoints)
    private(set) var routes: [RouteDescription] = []
    private(set) var templates: [String: String] = [:]
    private var requirement = RouteDescription.Requirement.nothing

    /// A group whose routes have a requirement. Its routes are added before the next group is made.
    func group(_ path: RouterPath, requires requirement: RouteDescription.Requirement) -> RouterGroup<
        ServerRequestContext
    > {
        self.requirement = requirement
        return group(path)
    }

    @discardableResult
    func on<Responder: HTTPResponder>(
        _ path: RouterPath, method: HTTPRequest.Method, responder: Responder
    ) -> Self where Responder.Context == ServerRequestContext {
        let template = Self.template(path)
        routes.append(RouteDescription(method: method, template: template, requirement: requirement))
        templates[path.description] = template
        router.on(path, method: method, responder: responder)
        return self
    }

    @discardableResult
    func add(middleware: any MiddlewareProtocol<Request, Response, ServerRequestContext>) -> Self {
        router.add(middleware: middleware)
        return self
    }

    /// The path as lists and logs show it.
    static func template(_ path: some CustomStringConvertible) -> String {
        let parts = path.description.split(separator: "/").map { part in
            part.first == ":" ? "{\(part.dropFirst())}" : String(part)
        }
        return "/" + parts.joined(separator: "/")
    }
}

/// Requires a token or a session.
struct IdentityCheck: RouterMiddleware {
    typealias Context = ServerRequestContext

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let identity = try context.requireIdentity()
        guard SameOrigin.isSafe(request.method) || !identity.isReadOnly else {
            throw Problem(.forbidden, "The token is read-only.")
        }
        try TableFormat.check(request, path: context.endpointPath)
        return try await next(request, context)
    }
}

/// Admits a request to the store of a person.
struct PersonAdmission: RouterMiddleware {
    typealias Context = ServerRequestContext

    /// Where the person is named.
    enum Source: Sendable {
        /// In the path.
        case path
        /// In the parameter `person`, else the only person of the token or session.
        case identity
    }

    let core: ServerCore
    let source: Source
    private let rules = AdmissionRules()

    func handle(
        _ request: Request, context: ServerRequestContext,
        next: (Request, ServerRequestContext) async throws -> Response
    ) async throws -> Response {
        let identity = try context.requireIdentity()
        let rule = rules.rule(request.method, context.endpointPath ?? "")
        let person: String
        if source == .path {
            person = try context.parameters.text("person")
        } else if let named = request.uri.queryParameters["person"] {
            person = String(named)
        } else {
            person = try await core.onlyPerson(of: identity)
        }
        guard identity.application == nil || rule.isOpenToApplications else {
            throw Problem(.forbidden, "This is for the person, not for applications. Use a session or an owner token.")
        }
        guard !identity.isLink || rule.isOpenToLinks else {
            throw Problem(.forbidden, "A link shows some types and nothing else.")
        }
        guard !identity.isReadOnly || rule.onlyReads else {
            throw Problem(.forbidden, "The token is read-only.")
        }
        try TableFormat.check(request, path: context.endpointPath)
        var context = context
        let timeZone = request.uri.queryParameters["timeZone"].flatMap { TimeZone(identifier: String($0)) }
        context.admission = try await core.admit(identity, to: person, in: timeZone)
        return try await next(request, context)
    }
}

/// The requirements of the routes about a person, found once for each.
private final class AdmissionRules: Sendable {
    struct Rule {
        var isOpenToApplications: Bool
        var isOpenToLinks: Bool
        var onlyReads: Bool
    }

    private struct Key: Hashable {
        var method: HTTPRequest.Method
        var path: String
    }

    private let rules = Mutex<[Key: Rule]>([:])

    /// The rule of a method and a path as the router has it, of which there are few.
    func rule(_ method: HTTPRequest.Method, _ path: String) -> Rule {
        let key = Key(method: method, path: path)
        return rules.withLock { rules in
            if let known = rules[key] { return known }
            let template = RouteRecorder.template(path)
            let rule = Rule(
                isOpenToApplications: Routes.isOpenToApplications(method, template),
                isOpenToLinks: Routes.isOpenToLinks(template),
                onlyReads: SameOrigin.isSafe(method) || Routes.readingPosts.contains(template))
            rules[key] = rule
            return rule
        }
    }
}
