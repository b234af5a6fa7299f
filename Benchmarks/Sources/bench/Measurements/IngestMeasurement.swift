import Foundation
import HealthEngine
import HealthModel
import HealthStorageSQLite

/// Saving batches of a thousand samples as JSON over HTTP, compared with saving the same samples with the engine in
/// this process; and what the app Health Auto Export posts, compared with Foundation's pass over the same JSON.
///
/// Both stores have a million samples before. Both sides commit each batch durably.
enum IngestMeasurement {
    private static let batch = 1_000
    private static let clients = 4
    private static let pairs = 25
    private static let repeats = 8
    /// The batches after which both logs are overwritten instead of extended; see ``SaveMeasurement``.
    private static let warmUp = 120
    private static let autoExportEntries = 150_000

    static func run(_ setting: Setting) throws -> Measurement {
        let (own, other) = (
            try RunningServer.freshStore("ingest.store", setting), try setting.freshStore("ingest-engine.store")
        )
        let history = StepHistory(count: 1_000_000)
        for store in [own, other] { try ServedStores.write(history, into: store) }
        let server = try RunningServer(store: own, in: setting)
        defer { server.stop() }
        let engine = try HealthEngine(storage: SQLiteStorage(path: other.path))
        let token = try server.token("--share", "stepCount,heartRate")
        let plain = try compare(
            [try server.connection()], engine, token, setting, Batches(after: history, years: 0, withIdentities: false))
        let identified = try compare(
            [try server.connection()], engine, token, setting, Batches(after: history, years: 1, withIdentities: true))
        let several = try compare(
            (0..<clients).map { _ in try server.connection() }, engine, token, setting,
            Batches(after: history, years: 2, withIdentities: false))
        try engine.close()
        let autoExport = try autoExport(server, try server.token("--all"), setting)
        server.stop()
        try RunningServer.remove(own, setting)
        try setting.removeStore(other)
        return Measurement(lines: [
            Line(
                "POST 1,000 samples as JSON, samples : engine in process", rate: plain, of: batch,
                target: .atLeast(0.35)),
            Line(
                "the same with UUIDs, samples : engine in process", rate: identified, of: batch, target: .atLeast(0.7)),
            Line("the same without UUIDs from \(clients) clients at once", rate: several, of: batch * clients),
            autoExport,
        ])
    }

    /// - Parameter connections: The clients. Each posts a batch, and then all wait for their answers; the engine saves
    ///   the same number of batches sequentially.
    private static func compare(
        _ connections: [HTTPConnection], _ engine: HealthEngine, _ token: String, _ setting: Setting, _ batches: Batches
    ) throws -> Comparison {
        let caller = Caller(
            revision: SourceRevisionRecord(source: SourceRecord(bundleIdentifier: "bench", name: "bench")),
            permission: .allowAll)
        let count = setting.pairs(pairs)
        // Requests and records are made before, so that only the server's and the engine's work is measured.
        let rounds = warmUp / connections.count
        let all = (0..<(rounds + 1 + count * repeats) * connections.count).map { batches.records($0) }
        var requests = all.map {
            HTTPConnection.request("POST", "/v1/people/me/samples", token: token, body: batches.json($0))
        }
        var records = all.map { $0.map { SaveItem.sample($0) } }
        requests.reverse()
        records.reverse()
        let saved = Array("{\"saved\":\(batch),".utf8)
        func ours() throws {
            for connection in connections {
                guard let request = requests.popLast() else { throw BenchError("There are too few batches") }
                try connection.send(request)
            }
            for connection in connections {
                let answer = try connection.receive()
                guard answer.body.starts(with: saved) else { throw BenchError("Samples were not saved") }
            }
        }
        func other() throws {
            for _ in connections {
                guard let items = records.popLast() else { throw BenchError("There are too few batches") }
                try engine.save(items, as: caller)
            }
        }
        for _ in 0..<rounds {
            try ours()
            try other()
        }
        return try Comparison.runInPlace(pairs: count, repeats: repeats, ours: ours, other: other)
    }

    // MARK: Health Auto Export

    private static func autoExport(_ server: RunningServer, _ token: String, _ setting: Setting) throws -> Line {
        let connection = try server.connection()
        var round = 0
        var size = 0
        var comparison = Comparison()
        for number in 0...setting.pairs(3) {
            let body = autoExportBody(round)
            round += 1
            size = body.count
            let request = HTTPConnection.request(
                "POST", "/v1/people/me/ingest/health-auto-export", token: token, body: body)
            let before = try server.program.processorSeconds()
            let start = Cost.now
            try connection.answer(to: request)
            let middle = Cost.now
            let ours = Cost(
                wall: (middle - start).wall, processor: try server.program.processorSeconds() - before)
            _ = try JSONSerialization.jsonObject(with: Data(body))
            if number > 0 { comparison.add(ours, Cost.now - middle) }
        }
        return Line(
            "Health Auto Export, \(autoExportEntries.formatted()) entries in \(Figure.megabytes(size)) : JSONSerialization",
            comparison)
    }

    /// Steps and heart rates of a minute each, as the app posts those that are not summarised.
    private static func autoExportBody(_ round: Int) -> [UInt8] {
        func entries(_ entry: (Int, String) -> String) -> String {
            let first = 1_704_067_200 + round * autoExportEntries * 60
            return (0..<autoExportEntries / 2).map { index in
                var time = time_t(first + index * 60)
                var parts = tm()
                gmtime_r(&time, &parts)
                let date = String(
                    format: "%04d-%02d-%02d %02d:%02d:%02d +0000", parts.tm_year + 1_900, parts.tm_mon + 1,
                    parts.tm_mday,
                    parts.tm_hour, parts.tm_min, parts.tm_sec)
                return entry(index, date)
            }.joined(separator: ",")
        }
        let steps = entries { index, date in
            "{\"date\":\"\(date)\",\"start\":\"\(date)\",\"end\":\"\(date)\",\"qty\":\(index % 120 + 1),\"source\":\"iPhone\"}"
        }
        let rates = entries { index, date in
            let rate = 60 + index % 80
            return "{\"date\":\"\(date)\",\"Min\":\(rate),\"Avg\":\(rate),\"Max\":\(rate),\"source\":\"Watch\"}"
        }
        let text = """
            {"data":{"metrics":[{"name":"step_count","units":"count","data":[\(steps)]},\
            {"name":"heart_rate","units":"count/min","data":[\(rates)]}]}}
            """
        return Array(text.utf8)
    }
}

/// Batches of step samples one minute apart, later than any history.
private struct Batches {
    private let start: Double
    private let withIdentities: Bool

    /// - Parameter years: The time between the history and the first batch, so that those of several comparisons don't
    ///   meet.
    init(after history: StepHistory, years: Int, withIdentities: Bool) {
        start = (history.dayBounds.last ?? 0) + Double(years) * 1_000 * StepHistory.day
        self.withIdentities = withIdentities
    }

    func records(_ number: Int) -> [SampleRecord] {
        (0..<1_000).map { index in
            let start = start + Double(number * 1_000 + index) * 60
            var record = SampleRecord(
                type: StepHistory.type, start: start, end: start + 30, value: Double(index % 90 + 1), unit: "count")
            if withIdentities { record.uuid = UUID() }
            return record
        }
    }

    /// The samples as clients send them.
    func json(_ records: [SampleRecord]) -> [UInt8] {
        let samples = records.map { record in
            let uuid = record.uuid.map { "\"uuid\":\"\($0.uuidString)\"," } ?? ""
            return "{\(uuid)\"type\":\"HKQuantityTypeIdentifierStepCount\",\"startDate\":\"\(text(record.start))\","
                + "\"endDate\":\"\(text(record.end))\",\"quantity\":\(Int(record.value)),\"unit\":\"count\"}"
        }
        return Array("{\"samples\":[\(samples.joined(separator: ","))]}".utf8)
    }

    private func text(_ instant: Double) -> String {
        var time = time_t(instant + Date.timeIntervalBetween1970AndReferenceDate)
        var parts = tm()
        gmtime_r(&time, &parts)
        return String(
            format: "%04d-%02d-%02dT%02d:%02d:%02d+00:00", parts.tm_year + 1_900, parts.tm_mon + 1, parts.tm_mday,
            parts.tm_hour, parts.tm_min, parts.tm_sec)
    }
}
