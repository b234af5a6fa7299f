import Foundation
import Testing

@testable import HealthServer

/// The files for Prometheus and Grafana.
enum MonitoringFiles {
    static let folder = URL(fileURLWithPath: #filePath).deletingLastPathComponent().deletingLastPathComponent()
        .deletingLastPathComponent().deletingLastPathComponent().appendingPathComponent("Packaging/monitoring")

    static func text(_ name: String) throws -> String {
        try String(contentsOf: folder.appendingPathComponent(name), encoding: .utf8)
    }

    /// The metrics of this project that the rules and the dashboard use.
    static func metrics() throws -> Set<String> {
        let texts = try ["openhealthkit.rules.yml", "openhealthkit-dashboard.json"].map(text).joined()
        return Set(
            texts.matches(of: #/\b(?:http|process|openhealthkit)_[a-z_]+/#).map {
                $0.0.hasSuffix("_bucket") ? String($0.0.dropLast(7)) : String($0.0)
            })
    }
}

@Suite("Alerting rules and the dashboard", .timeLimit(.minutes(5)))
struct MonitoringTests {
    private func promtool(_ arguments: String...) async throws {
        let root = MonitoringFiles.folder.deletingLastPathComponent().deletingLastPathComponent()
        let places = ["/usr/bin/promtool", root.appendingPathComponent(".build/promtool").path]
        guard let program = places.first(where: FileManager.default.isExecutableFile(atPath:)) else {
            throw TestServerError("There is no promtool. make test extracts it; Scripts/install-promtool does, too.")
        }
        let run = try await HKProcess.run(arguments, program: URL(fileURLWithPath: program))
        #expect(run.status == 0, "\(run.lines.joined(separator: "\n"))")
    }

    @Test("promtool accepts the configuration and the rules, which fire in their own tests")
    func rules() async throws {
        let folder = MonitoringFiles.folder.path
        try await promtool("check", "config", folder + "/prometheus.yml")
        try await promtool("check", "rules", folder + "/openhealthkit.rules.yml")
        try await promtool("test", "rules", folder + "/openhealthkit.tests.yml")
        // Each rule is tested to be silent, and all of them to fire.
        let tests = try MonitoringFiles.text("openhealthkit.tests.yml")
        let names = try MonitoringFiles.text("openhealthkit.rules.yml").matches(of: #/- alert: (\w+)/#).map { $0.1 }
        for name in names { #expect(tests.contains("alertname: \(name)}"), "\(name)") }
        #expect(tests.contains("value: \(names.count)\n"))
    }

    @Test("Every expression of the dashboard is one of Prometheus'")
    func dashboard() async throws {
        let text = try MonitoringFiles.text("openhealthkit-dashboard.json")
        let value = try JSONSerialization.jsonObject(with: Data(text.utf8)) as? [String: Any]
        let panels = try #require(value?["panels"] as? [[String: Any]])
        let targets = panels.flatMap { $0["targets"] as? [[String: Any]] ?? [] }
        let expressions = targets.compactMap { $0["expr"] as? String }
        #expect(panels.count >= 15 && expressions.count >= panels.count)
        #expect(Set(panels.compactMap { $0["id"] as? Int }).count == panels.count)
        // Grafana's variables as it fills them in.
        let rules = expressions.enumerated().map { number, expression in
            let filled = expression.replacing("$__rate_interval", with: "5m").replacing("$job", with: "openhealthkit")
                .replacing("$instance", with: ".*")
            return "  - record: panel:\(number)\n    expr: '\(filled)'\n"
        }
        let folder = try TemporaryServerFolder()
        let file = folder.path + "/rules.yml"
        let group = "groups:\n- name: dashboard\n  rules:\n" + rules.joined()
        try Data(group.utf8).write(to: URL(fileURLWithPath: file))
        try await promtool("check", "rules", file)
        #expect(try MonitoringFiles.metrics().count > 12)
    }
}
