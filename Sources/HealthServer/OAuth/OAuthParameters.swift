import HealthAnswers
import HealthJSON
import Hummingbird

/// The parameters of an OAuth request, each given at most once. Unknown ones are ignored, and empty ones are as if they
/// were left out (RFC 6749, 3.1 and 3.2).
struct OAuthParameters: Sendable {
    private let parameters: QueryParameters

    /// Reads a query, or a form.
    init(_ text: String) throws(OAuthError) {
        guard let parameters = try? QueryParameters(query: text) else {
            throw OAuthError(.invalidRequest, "The parameters are not percent-encoded UTF-8.")
        }
        self.parameters = parameters
    }

    func text(_ name: String) throws(OAuthError) -> String? {
        var parameters = parameters
        do {
            return try parameters.text(name).flatMap { $0.isEmpty ? nil : $0 }
        } catch {
            throw OAuthError(.invalidRequest, "\(name): Give it once.")
        }
    }

    func required(_ name: String) throws(OAuthError) -> String {
        guard let text = try text(name) else { throw OAuthError(.invalidRequest, "\(name) is missing.") }
        return text
    }

    /// - Throws: ``OAuthError`` `invalidTarget` if they name another endpoint (RFC 8707).
    func check(resource: String) throws(OAuthError) {
        guard let named = try text("resource"), named != resource, named != resource + "/" else { return }
        throw OAuthError(.invalidTarget, "The resource of this server is \(resource).")
    }
}

/// An error as a client receives it (RFC 6749, 4.1.2.1 and 5.2).
struct OAuthError: Error, Hashable, Sendable {
    enum Code: String, Sendable {
        case accessDenied = "access_denied"
        case invalidClient = "invalid_client"
        case invalidClientMetadata = "invalid_client_metadata"
        case invalidGrant = "invalid_grant"
        case invalidRedirectURI = "invalid_redirect_uri"
        case invalidRequest = "invalid_request"
        /// For another server (RFC 8707).
        case invalidTarget = "invalid_target"
        case unsupportedGrantType = "unsupported_grant_type"
        case unsupportedResponseType = "unsupported_response_type"
    }

    var code: Code
    /// A sentence in ASCII, without quotation marks.
    var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }

    var members: [(name: String, value: String)] {
        [("error", code.rawValue), ("error_description", description)]
    }

    var response: Response {
        .object(status: .badRequest) { json in
            for (name, value) in members { json.member(name, text: value) }
        }
    }
}
