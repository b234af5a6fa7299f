import Foundation
import HealthAccess

/// The client of an assistant, as it has registered itself (RFC 7591).
///
/// Its identifier is the registration: everyone may register, so that a signature would protect nothing, and what isn't
/// stored needs no limit and has no end.
struct OAuthClient: Codable, Hashable, Sendable {
    /// The name that it gives itself, which proves nothing; perhaps empty.
    let name: String
    private let uris: [String]

    /// - Throws: ``OAuthError`` `invalidRedirectURI`.
    init(name: String?, redirectURIs: [String]) throws(OAuthError) {
        guard (1...10).contains(redirectURIs.count), redirectURIs.allSatisfy({ RedirectURI($0) != nil }) else {
            throw OAuthError(
                .invalidRedirectURI, "Register 1 to 10 redirect URIs with https, or with http and a loopback host.")
        }
        // Nothing that is invisible, or turns the text around it.
        let visible = (name ?? "").unicodeScalars.filter {
            ![.control, .format, .lineSeparator, .paragraphSeparator].contains($0.properties.generalCategory)
        }
        // At most as long as the name of any token.
        var text = String(String.UnicodeScalarView(visible).prefix(100))
        while text.utf8.count > 200 { text.unicodeScalars.removeLast() }
        self.name = text.trimmingCharacters(in: .whitespaces)
        uris = redirectURIs
    }

    /// - Throws: ``OAuthError`` `invalidClient` for an identifier of no registration.
    init(id: String) throws(OAuthError) {
        guard let data = Secret.data(base64URL: id), let read = try? JSONDecoder().decode(Self.self, from: data),
            let checked = try? Self(name: read.name, redirectURIs: read.uris)
        else { throw OAuthError(.invalidClient, "The client is not registered. Register it again.") }
        self = checked
    }

    /// The identifier.
    var id: String {
        let encoder = JSONEncoder()
        encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
        // The encoder doesn't fail for strings.
        return Secret.base64URL((try? encoder.encode(self)) ?? Data())
    }

    /// The redirect URI of a request, if it is a registered one.
    func redirectURI(_ text: String) -> RedirectURI? {
        RedirectURI(text).flatMap { asked in
            uris.contains { RedirectURI($0)?.permits(asked) == true } ? asked : nil
        }
    }
}

/// Where a client has a browser return to: a site, through TLS, or a program on the browser's own machine.
struct RedirectURI: Hashable, Sendable {
    let text: String
    /// The host, as in a URL.
    let host: String
    /// Whether it is on the browser's own machine.
    let isLoopback: Bool
    private let withoutPort: String

    init?(_ text: String) {
        // Nothing but plain URLs, which browsers read in the same way.
        let form =
            #/
            (https?)://([A-Za-z0-9.-]+|\[[0-9A-Fa-f:.]+\])(?::[0-9]{1,5})?
            ([/?][!$%&'()*+,./0-9:;=?@A-Z_a-z~-]*)?
            /#
        let isShort = text.utf8.count <= 500 && text.utf8.allSatisfy { $0 < 0x80 }
        guard isShort, let match = text.wholeMatch(of: form) else { return nil }
        (self.text, host, isLoopback) = (text, match.2.lowercased(), match.1 == "http")
        guard !isLoopback || HostNames.local.contains(host) else { return nil }
        withoutPort = "\(host)\(match.3 ?? "/")"
    }

    /// Returns whether a registered URI permits another. A program listens on any port that is free (RFC 8252, 7.3).
    func permits(_ asked: RedirectURI) -> Bool {
        text == asked.text || isLoopback && asked.isLoopback && withoutPort == asked.withoutPort
    }
}
