import Foundation
import HealthSync

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

/// Exchanges the link of the QR code on the server's page for a token of this app. The link works once, within an hour.
public struct Pairing: Sendable {
    /// Sends a request, and keeps the cookies of the answer for the next one.
    public typealias Exchange = @Sendable (URLRequest) async throws -> (Data, URLResponse)

    public enum Failure: Error, Hashable {
        /// The code isn't one of the page.
        case notALink
        /// The server refused with this status: 401 for a code that was used or has expired.
        case refused(Int)
        /// The code is for these people, and none of them was chosen. It has been used.
        case choosePerson([String])
    }

    private struct Session: Decodable {
        struct Person: Decodable {
            var person: String
        }

        var people: [Person]
        var csrfToken: String?
    }

    private struct Token: Decodable {
        var token: String
    }

    private let exchange: Exchange

    public init(exchange: Exchange? = nil) {
        let session = URLSession(configuration: .ephemeral)
        self.exchange = exchange ?? { try await session.data(for: $0) }
    }

    /// The server of a link, with a token that sends what this phone has and reads what others wrote.
    ///
    /// - Parameter person: Whose phone it is; `nil` if the code is for one person only.
    public func server(of link: URL, deviceName: String, person: String? = nil) async throws -> SyncServer {
        guard var address = URLComponents(url: link, resolvingAgainstBaseURL: false),
            address.path.hasSuffix("/sign-in"),
            let code = address.queryItems?.first(where: { $0.name == "code" })?.value
        else { throw Failure.notALink }
        address.path = String(address.path.dropLast("/sign-in".count))
        address.queryItems = nil
        guard let url = address.url else { throw Failure.notALink }

        let session: Session = try await send("POST", "v1/session", to: url, ["code": code])
        let people = session.people.map(\.person)
        guard let person = person ?? (people.count == 1 ? people.first : nil), people.contains(person) else {
            _ = try await send("DELETE", "v1/session", to: url, nil, session.csrfToken)
            throw Failure.choosePerson(people)
        }
        let wanted: [String: Any] = ["name": deviceName, "scope": "sync", "people": [person], "read": "all"]
        let token: Token = try await send("POST", "v1/tokens", to: url, wanted, session.csrfToken)
        // The browser session has done its work.
        _ = try await send("DELETE", "v1/session", to: url, nil, session.csrfToken)
        return SyncServer(url: url, person: person, token: token.token)
    }

    private func send<Value: Decodable>(
        _ method: String, _ path: String, to url: URL, _ body: [String: Any]?, _ secret: String? = nil
    ) async throws -> Value {
        try JSONDecoder().decode(Value.self, from: try await send(method, path, to: url, body, secret))
    }

    private func send(
        _ method: String, _ path: String, to url: URL, _ body: [String: Any]?, _ secret: String?
    ) async throws -> Data {
        var request = URLRequest(url: url.appendingPathComponent(path))
        request.httpMethod = method
        request.setValue("application/json", forHTTPHeaderField: "Content-Type")
        if let secret { request.setValue(secret, forHTTPHeaderField: "X-CSRF-Token") }
        if let body { request.httpBody = try JSONSerialization.data(withJSONObject: body) }
        let (data, response) = try await exchange(request)
        let status = (response as? HTTPURLResponse)?.statusCode ?? 0
        guard (200..<300).contains(status) else { throw Failure.refused(status) }
        return data
    }
}
