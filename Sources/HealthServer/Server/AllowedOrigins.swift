import HTTPTypes
import Hummingbird

/// The sites whose scripts may use the API in a browser (CORS). They send a token; the cookie of a session stays with
/// the server's own page.
package struct AllowedOrigins: Sendable {
    private let origins: Set<String>

    /// Creates a list of origins; `nil` if one isn't an origin as browsers send it, such as `https://example.org`. That of
    /// every site, `*`, isn't one.
    package init?(_ origins: [String]) {
        let origin = /https?:\/\/([a-z0-9._-]+|\[[0-9a-f:.]+\])(:[0-9]{1,5})?/
        guard origins.allSatisfy({ $0.wholeMatch(of: origin) != nil }) else { return nil }
        self.origins = Set(origins)
    }

    /// The answer to the question that a browser asks before a request of another site; `nil` for another request.
    ///
    /// - Parameter methods: The methods of a path.
    func preflight(_ request: Request, methods: (String) -> [String]) -> Response? {
        guard request.method == .options, request.headers[.accessControlRequestMethod] != nil, isAllowed(request) else {
            return nil
        }
        return Response(
            status: .noContent,
            headers: [
                .accessControlAllowMethods: methods(request.uri.path).joined(separator: ", "),
                .accessControlAllowHeaders: """
                Authorization, Content-Type, If-None-Match, Last-Event-ID, MCP-Protocol-Version, Mcp-Method, Mcp-Name, \
                X-API-Key
                """,
                .accessControlMaxAge: "600",
            ])
    }

    /// Lets the script of an allowed site read a response.
    func apply(to response: inout Response, for request: Request) {
        guard Self.isOpen(request) else { return }
        response.headers[values: .vary].append("Origin")
        guard isAllowed(request) else { return }
        response.headers[.accessControlAllowOrigin] = request.headers[.origin]
        response.headers[.accessControlExposeHeaders] = "Content-Disposition, ETag, Retry-After, WWW-Authenticate"
    }

    private func isAllowed(_ request: Request) -> Bool {
        Self.isOpen(request) && request.headers[.origin].map(origins.contains) == true
    }

    private static func isOpen(_ request: Request) -> Bool {
        let path = request.uri.path
        return Routes.isData(path) || path == "/openapi.json" || path.hasPrefix("/.well-known/")
            || path.hasPrefix("/oauth/")
    }
}
