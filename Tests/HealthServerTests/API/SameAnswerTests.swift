import Foundation
import Testing

@testable import HealthServer

@Suite("hk --json and the API give the same answers, byte for byte, and assistants get them rounded", .serialized)
struct SameAnswerTests {
    /// One question in three forms.
    private struct Asked: Sendable {
        var command: String
        var path: String
        var tool: String
        var parameters: KeyValuePairs<String, String> = [:]
        /// The arguments for the tool only, such as details that it leaves out otherwise.
        var toolArguments: [String] = []
    }

    private static let now = "2025-11-16T12:00:00-05:00"
    private static let zone = "America/New_York"

    private static let questions = [
        Asked(command: "stats steps", path: "statistics", tool: "get_statistics", parameters: ["type": "stepCount"]),
        Asked(
            command: "stats stepCount --every day --last 7d", path: "statistics", tool: "get_statistics",
            parameters: ["type": "stepCount", "interval": "day", "start": "2025-11-10", "end": now]),
        Asked(
            command: "stats heartRate --every hour --from 2025-11-10 --to 2025-11-10", path: "statistics",
            tool: "get_statistics",
            parameters: ["type": "heartRate", "interval": "hour", "start": "2025-11-10", "end": "2025-11-11"]),
        Asked(
            command: "stats activeEnergyBurned --unit kJ --every month", path: "statistics", tool: "get_statistics",
            parameters: ["type": "activeEnergyBurned", "interval": "month", "unit": "kJ"]),
        Asked(
            command: "stats sleepAnalysis --every week", path: "statistics", tool: "get_statistics",
            parameters: ["type": "sleepAnalysis", "interval": "week"]),
        Asked(
            command: "stats appleStandHour --every day --last 5d", path: "statistics", tool: "get_statistics",
            parameters: ["type": "appleStandHour", "interval": "day", "start": "2025-11-12", "end": now]),
        Asked(
            command: "stats stepCount --above 10000 --last 7d", path: "statistics", tool: "get_statistics",
            parameters: ["type": "stepCount", "above": "10000", "start": "2025-11-10", "end": now]),
        Asked(
            command: "stats sleepAnalysis --with restingHeartRate --last 7d", path: "statistics",
            tool: "get_statistics",
            parameters: ["type": "sleepAnalysis", "with": "restingHeartRate", "start": "2025-11-10", "end": now]),
        Asked(
            command: "stats sleepAnalysis --every week --from 2025-11-10 --to 2025-11-16 --compare 1w",
            path: "statistics", tool: "get_statistics",
            parameters: [
                "type": "sleepAnalysis", "interval": "week", "start": "2025-11-10", "end": "2025-11-17",
                "compareStart": "2025-11-03", "compareEnd": "2025-11-10",
            ]),
        Asked(command: "today", path: "today", tool: "get_today"),
        Asked(command: "highlights", path: "highlights", tool: "get_highlights"),
        Asked(
            command: "energy", path: "energy-balance", tool: "get_energy_balance",
            toolArguments: [#""start":"2025-11-16""#]),
        Asked(
            command: "rings --last 7d", path: "activity-summaries", tool: "get_activity_rings",
            parameters: ["start": "2025-11-10", "end": now]),
        Asked(
            command: "sleep --from 2025-11-14 --to 2025-11-16", path: "sleep", tool: "get_sleep",
            parameters: ["start": "2025-11-14", "end": "2025-11-17"], toolArguments: [#""segments":true"#]),
        Asked(
            command: "sleep --from 2025-11-14 --to 2025-11-16 --compare 7d", path: "sleep", tool: "get_sleep",
            parameters: [
                "start": "2025-11-14", "end": "2025-11-17", "compareStart": "2025-11-07", "compareEnd": "2025-11-10",
            ], toolArguments: [#""segments":true"#]),
        Asked(command: "workouts", path: "workouts", tool: "get_workouts"),
        Asked(
            command: "workouts --activity running --limit 2", path: "workouts", tool: "get_workouts",
            parameters: ["activityType": "running", "limit": "2"]),
        Asked(command: "workouts --weekly", path: "workouts/weeks", tool: "get_workout_weeks"),
        Asked(
            command: "workouts --records", path: "workouts/records", tool: "get_workout_records",
            parameters: ["distances": "true"]),
        Asked(
            command: "workouts 1 --per km", path: "workouts/1", tool: "get_workout",
            parameters: ["uuid": "1", "length": "km"]),
        Asked(command: "types", path: "types", tool: "list_types"),
        Asked(
            command: "samples bodyMass --limit 100", path: "samples", tool: "get_samples",
            parameters: ["type": "bodyMass", "sort": "-startDate", "limit": "100"]),
    ]

    @Test func everyQuestion() async throws {
        let date = try Date(Self.now, strategy: .iso8601)
        try await TestServer.with(people: ["anna"], now: date) { server in
            let store = try server.core.directory.store(of: "anna").path
            let archive = server.folder + "/demo.zip"
            let options = [
                "--records", "3000", "--seed", "7", "--until", "2025-11-16T12:00", "--time-zone", Self.zone,
            ]
            try await run(["generate", archive] + options, server)
            try await run(["import", archive, "--quiet", "--store", store], server)
            for asked in Self.questions {
                let command = try await run(
                    asked.command.split(separator: " ").map(String.init) + ["--json", "--store", store], server)
                var query = URLComponents()
                let inPath = asked.path.contains("/1") ? ["uuid"] : []
                query.queryItems =
                    asked.parameters.filter { !inPath.contains($0.key) }.map {
                        URLQueryItem(name: $0.key, value: $0.value)
                    } + [URLQueryItem(name: "timeZone", value: Self.zone)]
                let path = "/v1/people/anna/\(asked.path)?\(query.percentEncodedQuery ?? "")"
                let answer = try await server.client.get(path)
                #expect(answer.status == 200, "\(path): \(answer.text.prefix(300))")
                #expect(answer.text == command, "\(asked.command): \(difference(answer.text, command))")
                #expect(answer.text.count > 80, "\(asked.command) has no answer: \(answer.text)")
                let parameters = Array(asked.parameters) + [(key: "timeZone", value: Self.zone)]
                let arguments = parameters.map { #""\#($0.key)":"\#($0.value)""# } + asked.toolArguments
                let result = try await AssistantMessages.call(
                    asked.tool, "{\(arguments.joined(separator: ","))}", server.client)
                let (text, rounded) = (AssistantMessages.answer(result), AssistantMessages.rounded(answer))
                #expect(text == rounded, "\(asked.tool): \(difference(text, rounded))")
            }
        }
    }

    @discardableResult
    private func run(_ arguments: [String], _ server: TestServer) async throws -> String {
        let run = try await HKProcess.run(
            arguments, environment: ["HEALTHKIT_NOW": Self.now, "TZ": Self.zone])
        #expect(run.status == 0, "\(arguments): \(run.lines)")
        return run.lines.joined(separator: "\n")
    }

    /// Where two texts begin to differ.
    private func difference(_ one: String, _ other: String) -> String {
        let count = zip(one, other).prefix { $0 == $1 }.count
        let start = max(0, count - 60)
        return "\(one.dropFirst(start).prefix(140)) ≠ \(other.dropFirst(start).prefix(140))"
    }
}
