import Foundation
import HealthAccess
import HealthTesting
import Testing

@testable import HealthServer

@Suite("What clients register, and the codes that they get")
struct OAuthClientTests {
    @Test("A redirect URI leads to a site through TLS, or to a program on the browser’s own machine")
    func redirectURIs() throws {
        for (text, host) in [
            ("https://assistant.example/callback?kept=1", "assistant.example"),
            ("https://Assistant.Example:8443", "assistant.example"), ("http://localhost:3000/callback", "localhost"),
            ("http://127.0.0.1/", "127.0.0.1"), ("http://[::1]:3000/a%20b", "[::1]"),
        ] {
            #expect(try #require(RedirectURI(text), "\(text)").host == host)
        }
        for text in [
            "", "http://assistant.example/", "http://localhost.assistant.example/", "https://", "https:///callback",
            "https://user@assistant.example/", "https://assistant.example\\@other.example/", "javascript:alert(1)",
            "https://assistant.example/#fragment", "https://assistant.example/a b", "assistant://callback",
            "https://assistant.example/\r\nSet-Cookie: a=b", "https://assistänt.example/",
            "https://assistant.example:x/",
            "https://assistant.example/" + String(repeating: "a", count: 500),
        ] {
            #expect(RedirectURI(text) == nil, "\(text)")
        }
    }

    @Test("Only what is registered is returned to; the port of a program may be another one")
    func permissions() throws {
        let client = try OAuthClient(
            name: "Trial", redirectURIs: ["https://assistant.example/callback", "http://127.0.0.1:3000/callback"])
        for text in [
            "https://assistant.example/callback", "http://127.0.0.1:3000/callback", "http://127.0.0.1:49152/callback",
            "http://127.0.0.1/callback",
        ] {
            #expect(client.redirectURI(text)?.text == text, "\(text)")
        }
        for text in [
            "https://assistant.example/callback/", "https://assistant.example/callback?a=b",
            "https://assistant.example/", "https://assistant.example:8443/callback", "https://other.example/callback",
            "http://localhost:3000/callback", "http://127.0.0.1:3000/other", "https://127.0.0.1:3000/callback",
        ] {
            #expect(client.redirectURI(text) == nil, "\(text)")
        }
    }

    @Test("The identifier is the registration, which is checked again; a name can’t hide anything")
    func identifiers() throws {
        let uris = ["https://assistant.example/callback"]
        let client = try OAuthClient(name: "Tri\u{202E}al\n\u{0}", redirectURIs: uris)
        #expect(client.name == "Trial")
        #expect(try OAuthClient(id: client.id) == client)
        #expect(try OAuthClient(name: String(repeating: "a", count: 1_000), redirectURIs: uris).name.count == 100)
        #expect(try OAuthClient(name: nil, redirectURIs: uris).name.isEmpty)
        #expect(try OAuthClient(name: "   ", redirectURIs: uris).name.isEmpty)
        // Names of tokens have at most 200 bytes.
        let long = try OAuthClient(name: String(repeating: "健", count: 90) + " ", redirectURIs: uris)
        #expect(long.name.utf8.count == 198)
        #expect(try OAuthClient(id: long.id) == long)
        for wrong in [[], ["http://assistant.example/"], [String](repeating: uris[0], count: 11)] {
            #expect(throws: OAuthError.self) { try OAuthClient(name: nil, redirectURIs: wrong) }
        }
        let forged = Secret.base64URL(Data(#"{"name":"Trial","uris":["http://assistant.example/"]}"#.utf8))
        for id in ["", "unknown", "=", client.id + "=", forged] {
            #expect(throws: OAuthError.self, "\(id)") { try OAuthClient(id: id) }
        }
    }

    @Test("A code that is used again before its token is made ends it")
    func races() {
        let clock = TestClock()
        let codes = AuthorizationCodes(now: { clock.now })
        let token = TokenIssuer.Request(name: "Trial", scope: .application, people: ["anna"])
        let grant = AuthorizationCodes.Grant(client: "a", redirect: "b", challenge: "c", token: token)
        let (first, second) = (codes.add(grant), codes.add(grant))
        #expect(codes.use(first).grant != nil)
        let again = codes.use(first)
        #expect(again.grant == nil && again.previous == nil)
        #expect(!codes.remember(token: "1", of: first))
        #expect(codes.use(second).grant != nil)
        #expect(codes.remember(token: "2", of: second))
        clock.advance(by: 3_000)
        #expect(codes.use(second).previous == "2", "it is remembered")
        #expect(codes.use("unknown").grant == nil)
    }
}
