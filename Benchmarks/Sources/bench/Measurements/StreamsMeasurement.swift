import Foundation
import Glibc
import HealthEngine
import HealthModel
import HealthStorageSQLite

/// A thousand clients of the event stream: how long until all of them receive a change that a client posts or another
/// process saves, and the server's memory; and what a server uses that nobody asks.
enum StreamsMeasurement {
    private static let clients = 1_000
    /// A token can't have many more streams.
    private static let clientsOfToken = 50
    private static let idleSeconds: UInt32 = 20

    static func run(_ setting: Setting) throws -> Measurement {
        try OpenFiles.raise(to: clients + 200)
        let store = try RunningServer.freshStore("streams.store", setting)
        let history = StepHistory(count: 1_000_000)
        try ServedStores.write(history, into: store)
        let server = try RunningServer(store: store, in: setting)
        defer { server.stop() }
        let token = try server.token("--read", "stepCount", "--share", "stepCount")
        let idle = try idle(server, token)
        let streams = try (0..<clients).map { _ in try server.connection() }
        for start in stride(from: 0, to: clients, by: clientsOfToken) {
            let reader = try server.token("--read", "stepCount")
            for stream in streams[start..<start + clientsOfToken] {
                try stream.send(HTTPConnection.request("GET", "/v1/people/me/events?types=stepCount", token: reader))
            }
        }
        try hear(streams, "event: ready")
        let (posted, saved) = try changes(streams, server, token, store, after: history, setting)
        let peak = try server.program.peakResidentBytes()
        server.stop()
        try RunningServer.remove(store, setting)
        return Measurement(
            lines: [
                line("1,000 event streams receive a posted sample, the last of them", posted, target: .atMost(1_000)),
                line("1,000 event streams receive another process's sample", saved, target: .atMost(1_000)),
                Line(
                    what: "peak memory of the server with 1,000 event streams", ours: Figure.megabytes(peak),
                    figure: Double(peak) / 1e6, unit: "MB", target: .atMost(150)),
                Line(
                    what: "memory of an idle server, after a query", ours: Figure.megabytes(idle.memory),
                    figure: Double(idle.memory) / 1e6, unit: "MB", target: .atMost(60)),
                Line(
                    what: "processor time of an idle server, of one core",
                    ours: String(format: "%.2f %%", idle.share * 100),
                    figure: idle.share * 100, unit: "%", target: .atMost(0.5)),
            ], notes: ["An idle server is measured for \(idleSeconds) seconds."])
    }

    private static func line(_ what: String, _ times: [Double], target: Line.Target) -> Line {
        let sorted = times.sorted()
        return Line(
            what: what, ours: Figure.time(times.median), figure: times.median * 1e3, unit: "ms", target: target,
            spread:
                "\(times.count) changes, \(Figure.time(sorted.first ?? .nan)) to \(Figure.time(sorted.last ?? .nan))")
    }

    /// What the server uses after it answered about ten years and then nobody asks.
    private static func idle(_ server: RunningServer, _ token: String) throws -> (memory: Int, share: Double) {
        let connection = try server.connection()
        let path = "/v1/people/me/statistics?type=stepCount&interval=month"
        try connection.answer(to: HTTPConnection.request("GET", path, token: token))
        sleep(3)
        let (start, before) = (Cost.now, try server.program.processorSeconds())
        sleep(idleSeconds)
        let share = (try server.program.processorSeconds() - before) / (Cost.now - start).wall
        return (try server.program.residentBytes(), share)
    }

    /// The times until all streams have received a change: posted to the server, and saved by this process.
    private static func changes(
        _ streams: [HTTPConnection], _ server: RunningServer, _ token: String, _ store: URL, after history: StepHistory,
        _ setting: Setting
    ) throws -> (posted: [Double], saved: [Double]) {
        let engine = try HealthEngine(storage: SQLiteStorage(path: store.path))
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .allowAll)
        let poster = try server.connection()
        var (posted, saved) = ([Double](), [Double]())
        for round in 0...setting.pairs(10) {
            let minute = String(format: "2026-01-01T%02d:%02d:", round / 60, round % 60)
            let body = """
                [{"type":"stepCount","startDate":"\(minute)00Z","endDate":"\(minute)30Z","quantity":1,"unit":"count"}]
                """
            let request = HTTPConnection.request("POST", "/v1/people/me/samples", token: token, body: Array(body.utf8))
            var start = Cost.now
            try poster.send(request)
            try hear(streams, "event: change")
            let byPost = (Cost.now - start).wall
            try poster.receive()
            try expectSilence(streams)
            let instant = (history.dayBounds.last ?? 0) + Double(round) * 60
            start = Cost.now
            try engine.save(
                [
                    .sample(
                        SampleRecord(type: StepHistory.type, start: instant, end: instant + 30, value: 1, unit: "count")
                    )
                ],
                as: caller)
            try hear(streams, "event: change")
            let bySave = (Cost.now - start).wall
            try expectSilence(streams)
            // The first round only warms up.
            guard round > 0 else { continue }
            posted.append(byPost)
            saved.append(bySave)
        }
        try engine.close()
        return (posted, saved)
    }

    /// Checks that no stream receives a change twice, which the next measurement would count as its own.
    private static func expectSilence(_ streams: [HTTPConnection]) throws {
        var waiting = streams.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
        guard poll(&waiting, nfds_t(waiting.count), 150) > 0 else { return }
        for (stream, state) in zip(streams, waiting) where state.revents != 0 {
            guard try !stream.receiveOnce(lookingFor: Array("event: change".utf8)) else {
                throw BenchError("A stream received one change twice")
            }
        }
    }

    /// Waits until a text has arrived on all streams.
    private static func hear(_ streams: [HTTPConnection], _ text: String) throws {
        let text = Array(text.utf8)
        var missing = streams
        let end = Cost.now.wall + 30
        while !missing.isEmpty {
            var waiting = missing.map { pollfd(fd: $0.socket, events: Int16(POLLIN), revents: 0) }
            guard poll(&waiting, nfds_t(waiting.count), 1_000) >= 0, Cost.now.wall < end else {
                throw BenchError("\(missing.count) of \(streams.count) streams heard nothing")
            }
            var rest: [HTTPConnection] = []
            for (stream, state) in zip(missing, waiting) {
                if state.revents == 0 {
                    rest.append(stream)
                } else if try !stream.receiveOnce(lookingFor: text) {
                    rest.append(stream)
                }
            }
            missing = rest
        }
    }
}

/// The number of files that this process may have open.
private enum OpenFiles {
    static func raise(to count: Int) throws {
        let files = __rlimit_resource_t(RLIMIT_NOFILE.rawValue)
        var limit = rlimit()
        guard getrlimit(files, &limit) == 0 else { return }
        guard limit.rlim_max >= rlim_t(count) else { throw BenchError("At most \(limit.rlim_max) files can be open") }
        limit.rlim_cur = max(limit.rlim_cur, rlim_t(count))
        guard setrlimit(files, &limit) == 0 else { throw BenchError("The number of open files can't be raised") }
    }
}
