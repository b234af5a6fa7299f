import HTTPTypes
import Hummingbird
import NIOCore

/// The page's files, at every path that is nothing else. They contain no health data, so everyone may load them.
struct DashboardResource: ServerResource {
    let core: ServerCore

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/", use: file)
        group.get("/**", use: file)
    }

    @Sendable private func file(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let (page, path, accepted) = (core.page, request.uri.path, request.headers[.acceptLanguage])
        guard !Routes.isData(path), let file = try await core.pool.run({ try page.file(path, accepted: accepted) })
        else {
            // As if there were no route for all paths.
            context.coreContext.endpointPath.value = "NotFound"
            throw HTTPError(.notFound)
        }
        var response = page.response(file, to: request)
        response.headers[.contentSecurityPolicy] = SecurityPolicy.page(tiles: core.configuration.mapTiles)
        return response
    }
}

/// The status for operators and monitoring: `/health`, `/health/live` and `/metrics`.
struct StatusResource: ServerResource {
    let core: ServerCore

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.get("/health", use: health)
        // Whether the server answers, whatever its stores do: whether it should be left running.
        group.get("/health/live") { _, _ in Response(json: Self.isWell) }
        group.get("/metrics", use: metrics)
    }

    private static let isWell = ByteBuffer(string: "{\"status\":\"ok\"}")

    /// Whether the server's stores can be reached, within two seconds: whether it should get requests.
    @Sendable private func health(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        guard await core.readiness.isReady() else {
            throw Problem(.storeUnavailable, "The stores can’t be reached.", headers: [.retryAfter: "2"])
        }
        return Response(json: Self.isWell)
    }

    /// Figures in Prometheus' text format, for a program on this machine, or with a token or session.
    @Sendable private func metrics(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        if !core.hosts.isLocal(request, channel: context.channel) { _ = try context.requireIdentity() }
        core.metrics.sample(core)
        return Response(
            status: .ok, headers: [.contentType: "text/plain; version=0.0.4; charset=utf-8"],
            body: ResponseBody(byteBuffer: ByteBuffer(string: core.metrics.registry.text)))
    }
}
