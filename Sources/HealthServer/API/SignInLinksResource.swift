import Foundation
import HealthAccess
import Hummingbird

/// Links by which another device of the sender signs in, as a phone that reads the QR code: `/v1/sign-in-links`.
struct SignInLinksResource: ServerResource {
    let core: ServerCore

    private struct NewLink: Decodable {
        /// The screen that the link leads to, as in the page's address.
        var screen: String?
    }

    private struct Answer: Encodable {
        /// The URL by which other devices reach the server.
        var server: String
        /// Whether they do: a server on loopback is reached from its own machine only.
        var isReachable: Bool
        /// The link, which signs one browser in, once.
        var link: String
        var expires: Date
        /// The rows of the link's QR code, with 1 for dark modules; `nil` without libqrencode.
        var qrCode: [String]?
    }

    func addRoutes(to group: RouterGroup<ServerRequestContext>) {
        group.post("/v1/sign-in-links", use: create)
    }

    @Sendable private func create(_ request: Request, _ context: ServerRequestContext) async throws -> Response {
        let identity = try context.requireIdentity()
        guard identity.application == nil, identity.cohort == nil else {
            throw Problem(.forbidden, "Sign-in links are for someone who acts as the person.")
        }
        let new = try await request.json(NewLink.self)
        guard let screen = Self.screen(new.screen ?? "") else {
            throw Problem(.validationFailed, "The screen has a form like data/import.")
        }
        let (server, isReachable) = address(of: request, context)
        let (registry, people) = (core.registry, identity.people?.sorted())
        let code = try await core.pool.run { try registry.addSignInCode(people: people) }
        let link = Self.link(code: code, at: server, screen: screen).absoluteString
        let base = server.absoluteString
        let rows = QRCode(link)?.rows.map { $0.map { $0 ? "1" : "0" }.joined() }
        return try .json(
            Answer(
                server: base.hasSuffix("/") ? String(base.dropLast()) : base, isReachable: isReachable, link: link,
                expires: core.now() + AccessRegistry.codeSeconds, qrCode: rows),
            status: .created)
    }

    /// The URL of the server for other devices, and whether they reach it: the public one, else as the sender does if that
    /// isn't this machine's own name, else by its address in the network.
    private func address(of request: Request, _ context: ServerRequestContext) -> (url: URL, isReachable: Bool) {
        let configuration = core.configuration
        if let url = configuration.publicURL { return (url, true) }
        let scheme = configuration.tls == nil ? "http" : "https"
        let asked = request.head.authority.flatMap { URL(string: "\(scheme)://\($0)/") } ?? URL(fileURLWithPath: "/")
        if let host = HostNames.host(of: request), !HostNames.local.contains(host) { return (asked, true) }
        guard let host = configuration.reachableHost, let port = context.channel?.localAddress?.port,
            let url = configuration.url(host: host, port: port)
        else { return (asked, false) }
        return (url, true)
    }

    /// The link with a code.
    static func link(code: String, at server: URL, screen: String = "") -> URL {
        let items = [("code", code), ("screen", screen)].filter { !$1.isEmpty }
        return server.appending(path: "sign-in").appending(queryItems: items.map { URLQueryItem(name: $0, value: $1) })
    }

    /// The screen of a link, such as `iphone/shortcuts`; `nil` for any other text.
    static func screen(_ text: String) -> String? {
        let isPlain = text.utf8.count <= 100 && text.wholeMatch(of: /[a-z0-9\/-]*/) != nil
        return isPlain && !text.hasPrefix("/") ? text : nil
    }
}
