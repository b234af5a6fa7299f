import Foundation
import HTTPTypes
import HealthEngine
import HealthKit
import HealthModel
import HealthStorage
import Hummingbird
import NIOCore
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Problem details")
struct ProblemTests {
    @Test("Errors of every layer have a status and a stable code")
    func translation() throws {
        let type = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")).code
        let cases: [(any Error, String, Int)] = [
            (EngineError.authorizationDenied(type), "authorizationDenied", 403),
            (EngineError.authorizationNotDetermined(type), "authorizationNotDetermined", 403),
            (EngineError.invalidArgument("x"), "invalidParameter", 400), (EngineError.noData, "notFound", 404),
            (EngineError.invalidAnchor, "invalidAnchor", 400), (StorageError(.busy, "x"), "storeBusy", 503),
            (StorageError(.unreachable, "/secret/path"), "storeUnavailable", 503),
            (StorageError(.damaged, "x"), "storeDamaged", 500), (StorageError(.duplicate, "x"), "conflict", 409),
            (StorageError(.removed, "x"), "notFound", 404), (StorageError(.rejected, "x"), "internalError", 500),
            (HKError(.errorAuthorizationDenied), "authorizationDenied", 403),
            (HKError(.errorInvalidArgument), "validationFailed", 422), (HKError(.errorNoData), "notFound", 404),
            (HTTPError(.badRequest), "badRequest", 400), (HTTPError(.contentTooLarge), "bodyTooLarge", 413),
            (HTTPError(.gatewayTimeout), "status504", 504), (TestServerError("secret"), "internalError", 500),
            (ChannelError.eof, "badRequest", 400), (IOError(errnoCode: 104, reason: "secret"), "badRequest", 400),
            (CancellationError(), "unavailable", 503), (Problem(.conflict, "x"), "conflict", 409),
        ]
        for (error, code, status) in cases {
            let problem = Problem(error)
            #expect(problem.code.name == code && problem.status.code == status, "\(error)")
            #expect(!problem.detail.isEmpty && !problem.detail.contains("secret"), "\(error)")
            // What fails again isn't repeated.
            #expect(status >= 503 || problem.headers[.retryAfter] == nil, "\(error)")
        }
    }

    @Test("The body has the members of RFC 9457 and a code")
    func body() throws {
        let problem = Problem(.invalidParameter, "start: “x” is not a date.", headers: [.retryAfter: "1"])
        let json = try #require(try JSONSerialization.jsonObject(with: problem.body) as? [String: Any])
        #expect(json["type"] as? String == "urn:openhealthkit:problem:invalidParameter")
        #expect(json["title"] as? String == "A parameter is invalid" && json["status"] as? Int == 400)
        #expect(
            json["detail"] as? String == "start: “x” is not a date." && json["code"] as? String == "invalidParameter")
        #expect(problem.response.headers[.contentType] == "application/problem+json")
        #expect(problem.response.headers[.retryAfter] == "1")
    }

    @Test("A browser that follows a link gets a page; programs get problem details, whatever else they accept")
    func page() async throws {
        let browser = ["Accept": "text/html,application/xhtml+xml,application/xml;q=0.9,*/*;q=0.8"]
        var limits = ServerLimits()
        limits.failuresPerMinute = 1
        try await TestServer.with(limits: limits) { server async throws in
            let nobody = server.client.with(token: nil)
            for (path, status, title) in [
                ("/v1/people", 401, "A token or a session is required"),
                ("/nothing", 404, "Not found"),
            ] {
                let page = try await nobody.get(path, headers: browser)
                #expect(page.status == status && page.headers["content-type"] == "text/html; charset=utf-8")
                #expect(page.text.contains("<h1>\(title)</h1>") && page.text.contains(#"href="/""#))
                #expect(page.headers["content-security-policy"]?.contains("style-src 'self'") == true)
                for style in page.text.matches(of: /(?:href|src)="(\/[a-z][^"]*)"/) {
                    #expect(try await nobody.get(String(style.output.1)).status == 200, "\(style.output.1)")
                }
                for accept in ["application/json", "*/*", nil] {
                    let answer = try await nobody.get(path, headers: accept.map { ["Accept": $0] } ?? [:])
                    #expect(answer.status == status && answer.code != nil)
                }
            }
            let wrong = server.client.with(token: "ohk_wrong")
            #expect(try await wrong.get("/v1/people", headers: browser).status == 401)
            let refused = try await wrong.get("/v1/people", headers: browser)
            #expect(refused.status == 429 && refused.text.contains("<h1>Too many requests</h1>"))
            let other = try server.token(of: "ben")
            let denied = try await server.client.with(token: other).get(
                "/v1/people/%3Cscript%3E/samples", headers: browser)
            #expect(denied.status == 403 && !denied.text.contains("<script>"))
        }
    }

    private struct Example: Decodable {
        struct Part: Decodable {
            var count: Int
        }

        var name: String
        var parts: [Part]
    }

    @Test(
        "The invalid part of a body is named, without its value",
        arguments: [
            (#"{"parts":[]}"#, "“name” is missing."),
            (#"{"name":"a","parts":[{"count":1},{"count":"seven"}]}"#, "“parts[1].count” isn’t of type Int."),
            (#"{"name":null,"parts":[]}"#, "“name” is missing."),
            ("{", "The body isn’t valid JSON of the expected form."),
        ])
    func decoding(text: String, detail: String) {
        do {
            _ = try JSONDecoder().decode(Example.self, from: Data(text.utf8))
            Issue.record("The text was decoded.")
        } catch {
            #expect(Problem(error).detail == detail)
            #expect(Problem(error).code == .invalidBody)
        }
    }
}
