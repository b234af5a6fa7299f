import CompanionFeature
import Foundation
import HealthKit
import HealthSync
import Testing

#if canImport(FoundationNetworking)
    import FoundationNetworking
#endif

@Suite("Pairing with the page's code")
struct PairingTests {
    private let link = URL(string: "https://health.example.com/home/sign-in?code=abc&screen=iphone/sync")

    private static func answer(_ request: URLRequest, _ status: Int, _ text: String) throws -> (Data, URLResponse) {
        let url = try #require(request.url)
        let response = HTTPURLResponse(url: url, statusCode: status, httpVersion: nil, headerFields: nil)
        return (Data(text.utf8), try #require(response))
    }

    @Test("The code becomes a token of the app, and the session ends")
    func pairing() async throws {
        let pairing = Pairing { request in
            let body = String(decoding: request.httpBody ?? Data(), as: UTF8.self)
            switch (request.httpMethod, request.url?.path) {
            case ("POST", "/home/v1/session"):
                #expect(body == #"{"code":"abc"}"#)
                return try Self.answer(request, 200, #"{"people":[{"person":"anna"}],"csrfToken":"secret"}"#)
            case ("POST", "/home/v1/tokens"):
                #expect(request.value(forHTTPHeaderField: "X-CSRF-Token") == "secret")
                #expect(body.contains(#""scope":"sync""#) && body.contains(#""read":"all""#))
                return try Self.answer(request, 201, #"{"id":"1","token":"ohk_1"}"#)
            case ("DELETE", "/home/v1/session"):
                return try Self.answer(request, 204, "")
            default:
                return try Self.answer(request, 404, "")
            }
        }
        let server = try await pairing.server(of: try #require(link), deviceName: "Phone")
        #expect(server.url.absoluteString == "https://health.example.com/home")
        #expect(server.person == "anna" && server.token == "ohk_1")
    }

    @Test("With several people, the phone is that of the one who was chosen")
    func people() async throws {
        let pairing = Pairing { request in
            switch request.httpMethod {
            case "POST" where request.url?.lastPathComponent == "session":
                return try Self.answer(
                    request, 200, #"{"people":[{"person":"anna"},{"person":"ben"}],"csrfToken":"secret"}"#)
            case "POST":
                #expect(String(decoding: request.httpBody ?? Data(), as: UTF8.self).contains(#""people":["ben"]"#))
                return try Self.answer(request, 201, #"{"id":"1","token":"ohk_1"}"#)
            default: return try Self.answer(request, 204, "")
            }
        }
        let link = try #require(link)
        for other in [nil, "carl"] {
            await #expect(throws: Pairing.Failure.choosePerson(["anna", "ben"])) {
                try await pairing.server(of: link, deviceName: "Phone", person: other)
            }
        }
        #expect(try await pairing.server(of: link, deviceName: "Phone", person: "ben").person == "ben")
    }

    @Test("A used code and another link are refused")
    func refusals() async throws {
        let pairing = Pairing { try Self.answer($0, 401, "") }
        let link = try #require(link)
        await #expect(throws: Pairing.Failure.refused(401)) {
            try await pairing.server(of: link, deviceName: "Phone")
        }
        let other = try #require(URL(string: "https://example.com/?code=abc"))
        await #expect(throws: Pairing.Failure.notALink) { try await pairing.server(of: other, deviceName: "Phone") }
    }
}

// On a Mac there is no HealthTesting: what needs a separate store is left out there.
#if canImport(HealthTesting)
    import HealthTesting

    @MainActor
    @Suite("The companion app")
    struct CompanionModelTests {
        private struct NoServer: ServerStore {
            func load() throws -> SyncServer? { nil }
            func save(_ server: SyncServer) throws {}
        }

        @Test("A seed fills the store and is taken away")
        func seed() async throws {
            let health = TestHealthStore()
            let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).seed")
            defer { try? FileManager.default.removeItem(at: file) }
            try Data(
                #"""
                {"format":"openhealthkit.seed","version":1,"types":["HKQuantityTypeIdentifierStepCount"]}
                {"uuid":"7C5B2E64-7A6E-4B5C-8E7B-1C8F6C1D2E3F","type":"HKQuantityTypeIdentifierStepCount","startDate":"2026-03-01T06:30:00Z","endDate":"2026-03-01T06:31:00Z","quantity":61,"unit":"count","source":"Tracker","bundleIdentifier":"org.example.tracker","sequence":1}
                """#.utf8
            ).write(to: file)
            let model = CompanionModel(store: health.store, servers: NoServer())
            await model.launch()
            #expect(!model.isPaired)
            await model.load(file)
            #expect(model.status == "Loaded 1." && model.leftOut == [:])
            await model.removeSeeds()
            #expect(model.status == "Removed 1.")
        }
    }
#endif
