import HealthAccess

/// The request with which a client sends the browser of a person to the server (RFC 6749, 4.1.1).
struct OAuthRequest: Sendable {
    let client: OAuthClient
    /// Where the browser returns to.
    let redirect: RedirectURI
    private let state: String?
    private let parameters: OAuthParameters

    /// Reads what must be known before anything is sent to the client.
    ///
    /// - Throws: ``Problem`` `invalidParameter`, which the person is shown.
    init(query: String) throws {
        do throws(OAuthError) {
            parameters = try OAuthParameters(query)
            client = try OAuthClient(id: try parameters.required("client_id"))
            state = try parameters.text("state")
            guard let redirect = client.redirectURI(try parameters.required("redirect_uri")) else {
                throw OAuthError(.invalidRequest, "The client has not registered this redirect_uri.")
            }
            self.redirect = redirect
        } catch {
            throw Problem(.invalidParameter, error.description)
        }
    }

    /// The challenge of a request for an endpoint (RFC 7636).
    ///
    /// - Throws: ``OAuthError``, which is sent to the client.
    func challenge(for resource: String) throws(OAuthError) -> String {
        guard try parameters.required("response_type") == "code" else {
            throw OAuthError(.unsupportedResponseType, "response_type must be code.")
        }
        let challenge = try parameters.required("code_challenge")
        guard try parameters.text("code_challenge_method") == "S256", Secret.data(base64URL: challenge)?.count == 32
        else { throw OAuthError(.invalidRequest, "Send a code_challenge with the code_challenge_method S256.") }
        try parameters.check(resource: resource)
        return challenge
    }

    /// The address to which the browser returns with an answer (RFC 6749, 4.1.2, and RFC 9207).
    func address(with answer: [(name: String, value: String)], from issuer: String) -> String {
        let all = answer + (state.map { [("state", $0)] } ?? []) + [("iss", issuer)]
        let query = all.map { "\($0.0)=\(APIDispatcher.encoded($0.1))" }.joined(separator: "&")
        return redirect.text + (redirect.text.contains("?") ? "&" : "?") + query
    }
}
