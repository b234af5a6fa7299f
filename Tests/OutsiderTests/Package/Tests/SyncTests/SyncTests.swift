import Foundation
import HealthSync
import Testing

/// Without the trait, `URLSession` sends. The server answers that it takes no posts.
@Test func posts() async throws {
    let server = try #require(ProcessInfo.processInfo.environment["SERVER"].flatMap { URL(string: $0) })
    let response = try await HTTPTransport().post(Data("{}".utf8), to: server, token: "token")
    #expect(response.status == 501)
}
