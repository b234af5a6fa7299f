import Foundation
import HealthTesting
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Foods that a person imports")
struct FoodsAPITests {
    private static let path = "/v1/people/anna/foods"

    private static func put(_ text: String, _ client: TestClient, type: String = "text/csv; charset=utf-8") async throws
        -> TestResponse
    {
        try await client.send("PUT", path, headers: ["Content-Type": type], body: Data(text.utf8))
    }

    @Test("Foods are found by words of their name and by barcode, and replaced and removed as a table")
    func table() async throws {
        try await TestServer.with { server in
            let csv =
                "Name,Serving,Energy (kcal),protein_g,fat,barcode\r\n\"Käse, alt\",30 g,120,7,10,4006381333931\r\nBrot,,250,,,\r\n"
            let made = try await Self.put(csv, server.client)
            #expect(made.status == 200 && made.json["count"] as? Int == 2)
            let found = try await server.client.get(Self.path + "?search=alt%20kase").list("foods")
            #expect(found.map { $0["name"] as? String } == ["Käse, alt"])
            #expect(found.first?["protein"] as? Double == 7 && found.first?["carbohydrates"] as? Double == 0)
            let scanned = try await server.client.get(Self.path + "?barcode=4006381333931").list("foods")
            #expect(scanned.count == 1)
            #expect(try await server.client.get(Self.path + "?barcode=4006381333930").list("foods").isEmpty)
            let bread = try await server.client.get(Self.path + "?search=brot").list("foods")
            #expect(bread.first?["serving"] as? String == "100 g" && bread.first?["barcode"] == nil)
            #expect(try await Self.put("name;energy\nMüsli;12,5\n", server.client).status == 200)
            let all = try await server.client.get(Self.path)
            #expect(all.list("foods").map { $0["energy"] as? Double } == [12.5])
            #expect(try await server.client.delete(Self.path).status == 204)
            #expect(try await server.client.get(Self.path).json["count"] as? Int == 0)
            for token in [try server.token(read: .all), try server.token(scope: .owner, isReadOnly: true)] {
                #expect(try await Self.put(csv, server.client.with(token: token)).status == 403)
            }
        }
    }

    @Test("A file with a mistake changes nothing, and the line is named")
    func mistakes() async throws {
        try await TestServer.with { server in
            #expect(try await Self.put("name,energy\nBread,250", server.client).status == 200)
            for (text, line) in [
                ("", "empty"), ("title,kcal\nx,1", "Line 1"), ("name,energy\nx,1\n,2", "Line 3"),
                ("name,energy\nx,many", "Line 2"), ("name,energy\nx,-1", "Line 2"), ("name,energy\nx,nan", "Line 2"),
                ("name,energy\nx", "Line 2"), ("name,energy,barcode\n\"a\nb\",1,\ny,2,12x", "Line 4"),
                ("name,energy\n\"x,1", "Line 2"), ("name,energy\n\(String(repeating: "x", count: 201)),1", "Line 2"),
            ] {
                let answer = try await Self.put(text, server.client)
                #expect(answer.status == 422 && answer.text.contains(line), "\(text.prefix(40)): \(answer.text)")
            }
            #expect(try await Self.put("name,energy\nx,1", server.client, type: "application/json").status == 415)
            let names = try await server.client.get(Self.path).list("foods").map { $0["name"] as? String }
            #expect(names == ["Bread"])
        }
    }
}
