import Foundation
import Metrics
import Testing

@testable import HealthAccess
@testable import HealthServer

@Suite("Metrics and the audit log")
struct MetricsTests {
    @Test("Counters, gauges and histograms in Prometheus’ text format")
    func text() {
        let registry = PrometheusRegistry()
        registry.makeCounter(label: "requests.total", dimensions: [("path", "a\"b\\c")]).increment(by: 2)
        registry.makeCounter(label: "requests.total", dimensions: [("path", "a\"b\\c")]).increment(by: 1)
        registry.makeMeter(label: "open", dimensions: []).set(2.5)
        let timer = registry.makeTimer(label: "seconds", dimensions: [("route", "/")])
        timer.recordNanoseconds(2_000_000)
        timer.recordNanoseconds(20_000_000_000)
        let lines = registry.text.split(separator: "\n").map(String.init)
        #expect(lines.contains("# TYPE requests_total counter"))
        #expect(lines.contains(#"requests_total{path="a\"b\\c"} 3"#))
        #expect(lines.contains("# TYPE open gauge") && lines.contains("open 2.5"))
        #expect(lines.contains("# TYPE seconds histogram"))
        #expect(lines.contains(#"seconds_bucket{route="/",le="0.001"} 0"#))
        #expect(lines.contains(#"seconds_bucket{route="/",le="0.0025"} 1"#))
        #expect(lines.contains(#"seconds_bucket{route="/",le="+Inf"} 2"#))
        #expect(lines.contains(#"seconds_count{route="/"} 2"#) && lines.contains(#"seconds_sum{route="/"} 20.002"#))
    }

    @Test("The server counts requests by route, never by person")
    func requests() async throws {
        let publicURL = URL(string: "https://health.example.org")
        try await TestServer.with(configure: { $0.publicURL = publicURL }) { server async throws in
            #expect(try await server.client.get("/v1/people").status == 200)
            #expect(try await server.client.get("/v1/people/anna/nothing").status == 404)
            #expect(try await server.client.send("PURGE", "/v1/people").status == 405)
            let metrics = try await server.client.with(token: nil).get("/metrics")
            #expect(metrics.status == 200)
            #expect(metrics.headers["content-type"]?.hasPrefix("text/plain; version=0.0.4") == true)
            #expect(metrics.text.contains(#"http_requests_total{method="GET",route="/v1/people",status="200"} 1"#))
            #expect(metrics.text.contains(#"method="other""#))
            #expect(metrics.text.contains("openhealthkit_open_stores "))
            #expect(!metrics.text.contains("anna") && !metrics.text.contains("PURGE"))
            // Through a proxy, everyone would come from this machine.
            for fields in [
                ["X-Forwarded-For": "203.0.113.1"], ["Forwarded": "for=203.0.113.1"], ["X-Real-IP": "203.0.113.1"],
                ["Via": "1.1 proxy"], ["Host": "health.example.org"],
            ] {
                let proxied = try await server.client.with(token: nil).get("/metrics", headers: fields)
                #expect(proxied.status == 401, "\(fields)")
                #expect(try await server.client.get("/metrics", headers: fields).status == 200, "\(fields)")
            }
        }
    }

    @Test("The audit log says who used which route, without queries, paths and secrets")
    func audit() async throws {
        try await TestServer.with { server async throws in
            let token = try server.token(of: "anna", read: .all)
            let client = server.client.with(token: token)
            _ = try await client.get("/v1/people/anna/samples?type=stepCount&start=2022-01-05T00:00:00Z&source=hidden")
            _ = try await client.get("/v1/people/ben/samples?type=stepCount")
            _ = try await server.client.with(token: "ohk_wrong").get(
                "/v1/people/anna/samples/5B1C1A0E-0000-4000-8000-000000000000")
            _ = try await client.get("/styles/tokens.css")
            try server.core.audit.flush()
            let path = server.core.configuration.location.auditLog
            let log = try String(contentsOfFile: path, encoding: .utf8)
            let lines = try log.split(separator: "\n").map { line in
                try #require(try JSONSerialization.jsonObject(with: Data(line.utf8)) as? [String: Any])
            }
            let id = try #require(try server.core.registry.token(secret: token)?.id)
            #expect(lines.count == 3)
            #expect(lines[0]["token"] as? String == id && lines[0]["name"] as? String == "test")
            #expect(lines[0]["route"] as? String == "/v1/people/{person}/samples" && lines[0]["status"] as? Int == 200)
            #expect(lines[0]["person"] as? String == "anna" && lines[0]["method"] as? String == "GET")
            #expect(lines[1]["status"] as? Int == 403 && lines[1]["person"] as? String == "ben")
            #expect(lines[2]["status"] as? Int == 401 && lines[2]["token"] == nil)
            for text in ["stepCount", "2022-01-05", "hidden", "5B1C1A0E", token, "ohk_"] {
                #expect(!log.contains(text), "\(text)")
            }
            let mode = try FileManager.default.attributesOfItem(atPath: path)[.posixPermissions] as? Int
            #expect(mode == 0o600)
        }
    }
}
