import Foundation
import HTTPTypes
import HealthAccess
import HealthDaemon
import HealthDashboard
import HealthEngine
import Hummingbird
import Logging
import NIOCore

/// Answers every request: checks the host and the limits, authenticates, finds the route, turns errors into problem
/// details, and records the request.
struct ServerResponder: HTTPResponder {
    typealias Context = ServerRequestContext

    private let core: ServerCore
    private let router: RouterResponder<ServerRequestContext>
    private let routes: RouteList
    /// The records of requests, by the paths as the router has them.
    private let recorded: [String: RecordedRoute]

    init(core: ServerCore) {
        self.core = core
        let (router, routes) = Routes.router(core)
        self.router = router.buildResponder()
        self.routes = routes
        recorded = routes.templates.mapValues { RecordedRoute($0, core.metrics) }
    }

    func respond(to request: Request, context: ServerRequestContext) async throws -> Response {
        let start = ContinuousClock.now
        core.metrics.begin()
        var context = context
        context.core = core
        var response: Response
        do {
            try core.hosts.check(request, from: context.channel?.remoteAddress)
            let answer = core.configuration.allowedOrigins?.preflight(request, methods: routes.methods)
            // What is for everyone, such as the page's files, is free.
            if answer == nil, Routes.needsIdentity(request) {
                context.identity = try await identity(of: request, from: context.channel)
            }
            response = if let answer { answer } else { try await router.respond(to: request, context: context) }
            if response.status.code >= 400, let problem = problem(response, to: request, context: context) {
                response = await self.response(problem, to: request)
            }
        } catch {
            response = await self.response(Problem(error), to: request)
            if response.status.code >= 500, !(error is CancellationError) {
                // The error's text may quote what was sent, so only its type is logged unless it is known to be safe.
                core.logger.error(
                    "Request failed",
                    metadata: [
                        "route": "\(template(context))", "status": "\(response.status.code)",
                        "error": "\(SafeErrorText.text(error))",
                    ])
            }
        }
        if response.status == .unauthorized, ["/mcp", "/mcp/"].contains(request.uri.path) {
            response.headers[.wwwAuthenticate] = Authenticator.challenge(request, ofServer: core.url(of: request))
        }
        ResponseCompression.apply(to: &response, for: request)
        Revalidation.apply(to: &response, for: request)
        core.configuration.allowedOrigins?.apply(to: &response, for: request)
        protect(&response)
        record(request, context, status: response.status.code, duration: .now - start)
        return response
    }

    /// Only failures count against an address: a valid token or session is accepted whatever others send from there.
    private func identity(of request: Request, from channel: (any Channel)?) async throws -> Identity? {
        let identity: Identity?
        do {
            identity = try await core.authenticator.identity(of: request)
        } catch let problem as Problem where problem.code == .unauthenticated {
            try core.countFailure(of: request, from: channel)
            throw problem
        }
        if let identity, let seconds = core.requests.take(identity.id) {
            throw Problem(tooMany: "Too many requests came with this token or session.", seconds: seconds)
        }
        return identity
    }

    /// The problem for an answer of the router that doesn't have one yet: the path or the method doesn't exist, or a parameter of
    /// the path is missing.
    private func problem(_ response: Response, to request: Request, context: ServerRequestContext) -> Problem? {
        // A handler's own answer is complete: problem details, an OperationOutcome, an error of JSON-RPC or a page.
        let type = response.headers[.contentType] ?? ""
        guard !type.hasPrefix("application/"), !type.hasPrefix("text/html") else { return nil }
        if response.status == .notFound, context.endpointPath == "NotFound" {
            let methods = routes.methods(of: request.uri.path)
            guard !methods.isEmpty else { return Problem(.notFound, "Resource not found.") }
            let allowed = methods.joined(separator: ", ")
            return Problem(.methodNotAllowed, "The resource supports \(allowed).", headers: [.allow: allowed])
        }
        var fields = response.headers
        fields[.contentLength] = nil
        fields[.contentType] = nil
        return Problem(status: response.status, detail: nil, headers: fields)
    }

    /// A problem as the API of the path describes it, or as a page for someone who follows a link.
    private func response(_ problem: Problem, to request: Request) async -> Response {
        if request.uri.path.hasPrefix("/fhir/") { return FHIRResponse.outcome(problem) }
        guard ProblemDocument.isAccepted(by: request) else { return problem.response }
        let (page, accepted) = (core.page.folder, request.headers[.acceptLanguage])
        let language = try? await core.pool.run { page.language(accepted) }
        return ProblemDocument.response(problem, in: language ?? .english)
    }

    private func template(_ context: ServerRequestContext) -> String {
        guard let path = context.endpointPath else { return "" }
        return routes.templates[path] ?? path
    }

    private func protect(_ response: inout Response) {
        response.headers[.xContentTypeOptions] = "nosniff"
        response.headers[.referrerPolicy] = "no-referrer"
        if response.headers[.contentSecurityPolicy] == nil {
            response.headers[.contentSecurityPolicy] = SecurityPolicy.data
        }
        if response.headers[.cacheControl] == nil { response.headers[.cacheControl] = "no-store" }
        if core.configuration.isSecure {
            response.headers[.strictTransportSecurity] = "max-age=31536000"
        }
    }

    private func record(
        _ request: Request, _ context: ServerRequestContext, status: Int, duration: Duration
    ) {
        let route = context.endpointPath.flatMap { recorded[$0] } ?? RecordedRoute(template(context), core.metrics)
        let person =
            route.hasPerson ? request.uri.path.split(separator: "/").drop { $0 != "people" }.dropFirst().first : nil
        // An invalid method must not become a separate time series.
        let method = SecurityPolicy.methods.contains(request.method) ? request.method.rawValue : "other"
        core.metrics.end(route.metrics, method: method, status: status, duration: duration)
        // Files of the page and the server's state aren't health data.
        guard route.isAccess || status == 401 || status == 403 else { return }
        core.audit.add(
            AuditLog.Entry(
                identity: context.identity, person: person.map { String($0.prefix(64)) }, method: method,
                route: route.template, status: status,
                address: core.hosts.address(of: request, channel: context.channel)))
    }
}

/// The records of the requests of one route.
private struct RecordedRoute: Sendable {
    let template: String
    let metrics: RouteMetrics
    /// Whether its requests are accesses to health data.
    let isAccess: Bool
    /// Whether its path names a person.
    let hasPerson: Bool

    init(_ template: String, _ metrics: ServerMetrics) {
        self.template = template
        self.metrics = metrics.route(template)
        isAccess = Routes.isData(template)
        hasPerson = template.contains("{person}")
    }
}

/// The limits that an answer sets for browsers.
enum SecurityPolicy {
    /// For data: nothing may be loaded or embedded.
    static let data = "default-src 'none'; frame-ancestors 'none'"
    /// For the page: its own files only, no inline scripts and styles, no frames.
    static let page = page(tiles: nil)

    /// The same, with images of the map that the owner has chosen.
    static func page(tiles: MapTiles?) -> String {
        let images = ["'self'", "data:", "blob:"] + (tiles.map { [$0.origin] } ?? [])
        return """
            default-src 'none'; script-src 'self'; style-src 'self'; img-src \(images.joined(separator: " ")); \
            connect-src 'self'; font-src 'self'; manifest-src 'self'; worker-src 'self'; form-action 'self'; \
            base-uri 'none'; frame-ancestors 'none'
            """
    }
    static let methods: Set<HTTPRequest.Method> = [.get, .head, .post, .put, .patch, .delete, .options]
}

/// Media types that several parts of the server name.
enum MediaType {
    static let eventStream = "text/event-stream"
}

/// The names and addresses of the server and its clients.
struct HostNames: Sendable {
    private static let field = HTTPField.Name("Host")!
    static let local: Set<String> = ["localhost", "127.0.0.1", "[::1]"]
    /// Fields by which a proxy states that a request isn't its own.
    private static let forwarding = ["X-Forwarded-For", "Forwarded", "X-Real-IP", "Via"].map { HTTPField.Name($0)! }

    /// The names by which the server may be called; `nil` for any. A page of another site whose name resolves to this
    /// machine is refused (DNS rebinding).
    private let names: Set<String>?
    private let isLoopback: Bool
    private let isBehindProxy: Bool
    private let network: LocalNetwork?

    init(_ configuration: AppConfiguration) {
        isLoopback = configuration.isLoopback
        isBehindProxy = configuration.publicURL != nil
        network = configuration.network
        let publicName = configuration.publicURL?.host()?.lowercased()
        let isKnown = publicName != nil || configuration.tls == nil && (isLoopback || network != nil)
        let own = network == nil ? [] : Self.machine
        names = isKnown ? Self.local.union([configuration.host.lowercased(), publicName].compactMap { $0 } + own) : nil
    }

    /// The name of this machine, and the one by which devices in its network find it without a name server (mDNS).
    static var machine: [String] {
        var bytes = [CChar](repeating: 0, count: 256)
        guard gethostname(&bytes, bytes.count - 1) == 0 else { return [] }
        let name = String(decoding: bytes.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self).lowercased()
        return [name, name.prefix { $0 != "." } + ".local"]
    }

    /// - Throws: ``Problem`` `badRequest` for a request that doesn't say once what host it is for, `wrongHost`, and
    ///   `forbidden` for a client outside the network of the server.
    func check(_ request: Request, from peer: SocketAddress?) throws {
        if let network, let peer, !Self.isLoopback(peer.ipAddress ?? ""), !network.contains(peer) {
            throw Problem(.forbidden, "The server is for devices in its network only.")
        }
        // The first field is the authority; a second one stays among the others.
        guard let host = Self.host(of: request), request.headers[Self.field] == nil,
            request.head.path?.first == "/" || request.head.path == "*"
        else {
            throw Problem(.badRequest, "Send one Host field, with the host and port of the server.")
        }
        guard let names, !names.contains(host), isLoopback || !Self.isAddress(host) else { return }
        throw Problem(
            .wrongHost,
            "The server isn’t called by this name. Use localhost, or --public-url behind a proxy that passes Host on.")
    }

    /// The host that a request is for, without the port.
    static func host(of request: Request) -> String? {
        guard let authority = request.head.authority else { return nil }
        let literalEnd = authority.hasPrefix("[") ? authority.firstIndex(of: "]").map(authority.index(after:)) : nil
        let end = literalEnd ?? authority.firstIndex(of: ":") ?? authority.endIndex
        let (host, port) = (authority[..<end], authority[end...].utf8)
        let isPort =
            port.first == UInt8(ascii: ":") && port.count <= 6 && port.dropFirst().allSatisfy { (48...57).contains($0) }
        guard !host.isEmpty, port.isEmpty || isPort, !host.contains("@"), !host.contains("/") else { return nil }
        return host.lowercased()
    }

    /// Returns whether a host is an address, to which no other site's name can be bound.
    private static func isAddress(_ host: String) -> Bool {
        NetworkAddress(String(host.trimmingCharacters(in: ["[", "]"]).prefix { $0 != "%" })) != nil
    }

    /// Returns whether a program on this machine asks the server itself, and not through a proxy.
    func isLocal(_ request: Request, channel: (any Channel)?) -> Bool {
        guard let peer = channel?.remoteAddress?.ipAddress, Self.isLoopback(peer) else { return false }
        return Self.host(of: request).map { Self.local.contains($0) } == true
            && Self.forwarding.allSatisfy { request.headers[$0] == nil }
    }

    /// The address of the client. A proxy on this machine adds it to `X-Forwarded-For`.
    func address(of request: Request, channel: (any Channel)?) -> String {
        let peer = channel?.remoteAddress?.ipAddress ?? "unknown"
        guard isBehindProxy, Self.isLoopback(peer),
            let last = request.headers[.forwardedFor]?.split(separator: ",").last
        else { return peer }
        return String(last.drop { $0 == " " }.prefix(64))
    }

    /// The address by which failures of a client are counted: of version 6 its first half, because the other one is the
    /// client's to choose.
    func limitedAddress(of request: Request, channel: (any Channel)?) -> String {
        let text = address(of: request, channel: channel)
        guard let bytes = NetworkAddress(text)?.bytes, bytes.count == 16 else { return text }
        return bytes.prefix(8).map { String($0, radix: 16) }.joined(separator: ":")
    }

    /// Returns whether an address is of this machine.
    static func isLoopback(_ address: String) -> Bool {
        let bytes = NetworkAddress(address)?.bytes
        return bytes?.count == 4 ? bytes?.first == 127 : bytes == [UInt8](repeating: 0, count: 15) + [1]
    }
}
