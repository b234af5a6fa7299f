import Foundation

/// The daily steps of a week over HTTP with a token, from a store of five million samples, compared with a route of the
/// same library that returns a constant body of the same size: asked again and again, as by the windows of a dashboard;
/// for weeks that nobody asked for before, so that nothing can be kept; and for any week of ten people.
enum QueriesMeasurement {
    private static let samples = 5_000_000
    private static let people = 10
    private static let seconds = 3
    private static let week =
        "/v1/people/me/statistics?type=stepCount&start=2020-03-02&end=2020-03-09&interval=day"

    private struct Answer: Decodable {
        struct Day: Decodable {
            var sumQuantity: Double
        }

        var statistics: [Day]
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let store = try RunningServer.freshStore("queries.store", setting)
        try ServedStores.write(StepHistory(count: samples), into: store)
        let server = try RunningServer(store: store, in: setting)
        defer { server.stop() }
        let token = try server.token("--read", "stepCount", "--read-only")
        let size = try checkedSize(server, token)
        let (constant, port) = try constantServer(size, setting)
        defer { constant.stop() }
        func other() throws -> Load { try Load.run(.same(path: "/constant"), port: port, seconds: seconds, setting) }
        let count = setting.pairs(5)
        let same = try LoadComparison.run(pairs: count) { _ in
            try Load.run(.same(path: week), port: server.port, token: token, seconds: seconds, setting)
        } other: {
            try other()
        }
        let new = try LoadComparison.run(pairs: count) { round in
            try Load.run(.new(round: round), port: server.port, token: token, seconds: seconds, setting)
        } other: {
            try other()
        }
        let anyone = try peopleComparison(count, setting, other)
        server.stop()
        try RunningServer.remove(store, setting)
        return Measurement(
            lines: same.lines(
                "a week's daily steps over HTTP, 5 million samples : constant body", atLeast: 0.35, atMost: 5)
                + anyone.lines("any week of any of 10 people : constant body", atLeast: nil, atMost: nil)
                + new.lines("weeks that nobody asked for before : constant body", atLeast: nil, atMost: nil),
            notes: ["The answer about a week has \(size) bytes. Load is that of wrk with 32 connections."])
    }

    private static func peopleComparison(
        _ count: Int, _ setting: Setting, _ other: () throws -> Load
    ) throws -> LoadComparison {
        let folder = try ServedStores.people(people, samples: samples / people, in: setting)
        defer { try? FileManager.default.removeItem(at: folder) }
        let server = try RunningServer(["--data", folder.path], in: setting)
        defer { server.stop() }
        let token = try server.token("--owner", "--read-only")
        return try LoadComparison.run(pairs: count) { _ in
            try Load.run(.anyone(people: people), port: server.port, token: token, seconds: seconds, setting)
        } other: {
            try other()
        }
    }

    /// The size of the answer about the week, after looking at it.
    private static func checkedSize(_ server: RunningServer, _ token: String) throws -> Int {
        let body = try server.connection().answer(to: HTTPConnection.request("GET", week, token: token)).body
        let days = try JSONDecoder().decode(Answer.self, from: Data(body)).statistics
        guard days.count == 7, days.allSatisfy({ $0.sumQuantity > 0 }) else {
            throw BenchError("The week has \(days.count) days")
        }
        return body.count
    }

    private static func constantServer(_ size: Int, _ setting: Setting) throws -> (RunningProgram, port: Int) {
        let program = try RunningProgram(setting.program("constant-server"), ["\(size)"])
        let text = try program.output { $0.hasSuffix("\n") }
        guard let port = Int(text.trimmingCharacters(in: .whitespacesAndNewlines)) else {
            throw BenchError("The constant server printed no port")
        }
        return (program, port)
    }
}
