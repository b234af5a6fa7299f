import Foundation
package import HealthEngine

/// Where a webhook is, and how it is called.
package struct WebhookTarget: Sendable {
    package let url: String
    package let secretFile: String
    package let options: WebhookOptions

    /// Creates a target.
    package init(url: String, secretFile: String, options: WebhookOptions) {
        (self.url, self.secretFile, self.options) = (url, secretFile, options)
    }

    /// The host as the URL writes it, by which a client finds its address, without the brackets of one.
    var host: String { Self.host(of: url) }

    func validate() throws { try Self.validate(url) }

    /// Whether a URL names an address of this machine or its own network, as an address or `localhost`.
    package static func namesPrivateAddress(_ url: String) -> Bool {
        let host = host(of: url)
        return host.lowercased() == "localhost" || NetworkAddress(host)?.isPrivate == true
    }

    /// An address of the host that is on no private network.
    ///
    /// - Throws: ``DaemonError`` if it has another, or none.
    func publicAddress() async throws -> String {
        let host = host
        let addresses = await NetworkAddress.resolve(host)
        guard let first = addresses.first else { throw DaemonError("The webhook can’t be reached: no such host") }
        guard !addresses.contains(where: \.isPrivate) else {
            throw DaemonError("The webhook’s host is on this machine or its network, which the owner hasn’t allowed")
        }
        return first.text
    }

    /// The seconds that a webhook has to answer a test event.
    private static let testTimeLimit = 15.0

    /// Calls the webhook with an event that has no data, and returns how that went, for the log of attempts.
    package func test(as bundleIdentifier: String, now: Double) async -> BackgroundApplication.LoggedAttempt {
        let id = UUID()
        let client = WebhookClient()
        let call = WebhookCall(testing: bundleIdentifier, self, id: id, now: now)
        let failure = await client.send(call, timeLimit: Self.testTimeLimit)
        try? await client.shutdown()
        return .init(delivery: id, attempt: 0, date: now, isAcknowledged: failure == nil, reason: failure)
    }

    /// Checks that a host, if it is known, is on no private network. Calls check it again.
    ///
    /// - Throws: ``DaemonError``.
    package func requirePublicHost() async throws {
        if await !NetworkAddress.resolve(host).isEmpty { _ = try await publicAddress() }
    }

    private static func host(of url: String) -> String {
        (URL(string: url)?.host ?? "").trimmingCharacters(in: ["[", "]"])
    }

    /// Checks that a URL is one of HTTPS, or of HTTP on this machine, without a password.
    ///
    /// - Throws: ``DaemonError``.
    package static func validate(_ text: String) throws {
        guard let url = URL(string: text), let host = url.host, !host.isEmpty, url.user == nil, url.password == nil
        else {
            throw DaemonError("“\(text)” is not the URL of a webhook. Use a form like https://example.org/health")
        }
        // Libraries would encode them, each in its own way.
        guard text.allSatisfy(isAllowed), !text.contains(/%(?![0-9A-Fa-f]{2})/) else {
            throw DaemonError(
                "“\(text)” contains characters that a URL can’t have. Write others than letters, digits and "
                    + "-._~:/?#[]@!$&'()*+,;= as % and two hexadecimal digits for each byte")
        }
        // A number that is too large for an integer isn't a port either.
        let port = text.firstMatch(of: /^[A-Za-z]+:\/\/[^\/?#]*:([0-9]+)(?:[\/?#]|$)/)?.1
        guard port.map({ (1...65_535).contains(Int($0) ?? 0) }) ?? true else {
            throw DaemonError("“\(text)” has a port that doesn’t exist. Use one from 1 to 65535")
        }
        switch url.scheme?.lowercased() {
        case "https": return
        case "http" where ["localhost", "127.0.0.1", "::1", "[::1]"].contains(host): return
        case "http": throw DaemonError("A webhook on another machine needs https: “\(text)”")
        default: throw DaemonError("“\(text)” is not the URL of a webhook. Use a form like https://example.org/health")
        }
    }

    /// Whether RFC 3986 allows a character in URLs.
    private static func isAllowed(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-._~:/?#[]@!$&'()*+,;=%".contains(character))
    }
}
