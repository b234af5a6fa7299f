import Foundation
import HealthEngine
import HealthJSON
import HealthModel
import HealthImport
import HealthStorage
import HealthTesting
import StorageContract
import Testing

@testable import HealthIngest
@testable import HealthAccess
@testable import HealthServer

/// Posts documents of Health Auto Export to a test server.
struct IngestFixture {
    let server: TestServer
    var client: TestClient

    init(_ server: TestServer) {
        self.server = server
        client = server.client
    }

    /// Posts a document and returns its report.
    @discardableResult
    func post(
        _ data: String, aggregation: String? = nil, query: String = "", status: Int = 200
    ) async throws -> [String: Any] {
        let response = try await send(data, aggregation: aggregation, query: query)
        guard response.status == status else {
            throw TestServerError("The status is \(response.status): \(response.text)")
        }
        return response.json
    }

    func send(_ data: String, aggregation: String? = nil, query: String = "") async throws -> TestResponse {
        var headers: [String: String] = [:]
        if let aggregation { headers["automation-aggregation"] = aggregation }
        return try await client.post(
            "/v1/people/anna/ingest/health-auto-export\(query)", json: #"{"data":{\#(data)}}"#, headers: headers)
    }

    /// A metric of a document.
    static func metric(_ name: String, _ units: String, _ entries: String) -> String {
        #""metrics":[{"name":"\#(name)","units":"\#(units)","data":[\#(entries)]}]"#
    }

    /// The stored samples of a type, in order of start.
    func samples(_ identifier: String) throws -> [SampleRecord] {
        try Self.samples(identifier, in: server.engine())
    }

    static func samples(_ identifier: String, in engine: HealthEngine) throws -> [SampleRecord] {
        guard let type = TypeCatalog.description(for: identifier) else { return [] }
        let selection = try engine.samples(
            SampleRequest(parts: [.init(type: type.code)], sort: [SampleSort(.start)]), as: .person)
        return selection.order.compactMap { reference in
            guard case .sample(let batch, let row) = reference else { return nil }
            return selection.batches[Int(batch)].record(
                at: Int(row), dictionaries: selection.dictionaries, identities: selection.identities)
        }
    }

    /// The stored objects of a type, with their members.
    func objects(_ identifier: String) throws -> [ObjectRecord] {
        guard let type = TypeCatalog.description(for: identifier) else { return [] }
        return try server.engine().samples(SampleRequest(parts: [.init(type: type.code)]), as: .person).objects
    }

    /// The instant of a date such as `2026-02-06 14:30:00 +0000`.
    static func instant(_ text: String) -> Double {
        AutoExportDateReader(timeZone: .gmt, slashed: SlashedDates { _ in }).date(text)?.instant ?? .nan
    }
}

/// Documents of Health Auto Export over a store in memory whose calls can fail.
struct FaultyIngest {
    let engine: HealthEngine
    private let base: InMemoryStorage
    private let storage: FaultStorage

    init() throws {
        base = InMemoryStorage(identity: StoreIdentity(uuid: UUID(), seed: 7))
        storage = FaultStorage(base)
        engine = try HealthEngine(storage: storage)
    }

    /// Ingests a document and returns the outcomes of its entries.
    @discardableResult
    func post(_ data: String, aggregation: String? = nil, replacesOtherKind: Bool = false) throws -> IngestTally {
        let application = SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: "ingest.health-auto-export", name: "Health Auto Export"))
        let writer = IngestWriter(
            engine: engine, caller: .person, application: application, replacesOtherKind: replacesOtherKind, now: 0)
        var document = AutoExportDocument(
            .bytes(Array(#"{"data":{\#(data)}}"#.utf8)), header: IngestAggregation.header(aggregation), timeZone: .gmt,
            writer: writer, unread: { _, _, _, _ in })
        try document.ingest()
        return writer.tally
    }

    func contents() throws -> StorageContents {
        try base.read { try StorageContents(of: $0) }
    }

    /// Runs `program`, which ingests something in one transaction, on a new store for each call that can fail: the
    /// store stays as `prepare` left it, and the same again succeeds, with what `check` expects.
    static func failEverywhere(
        _ prepare: (FaultyIngest) throws -> Void, _ program: (FaultyIngest) throws -> Void,
        check: (FaultyIngest) throws -> Void = { _ in }
    ) throws {
        var runs = 0
        for point in [Fault.Point.read, .write, .commit] {
            var after = 0
            while true {
                let ingest = try FaultyIngest()
                try prepare(ingest)
                let before = try ingest.contents()
                ingest.storage.inject(Fault(at: point, after: after))
                var hasFailed = false
                do {
                    try program(ingest)
                } catch is StorageError {
                    hasFailed = true
                }
                ingest.storage.inject(nil)
                let left = try ingest.contents()
                guard hasFailed else {
                    #expect(left != before)
                    break
                }
                #expect(left == before, "\(point) \(after): \(left.differences(from: before))")
                try program(ingest)
                try check(ingest)
                #expect(try ingest.contents() != before)
                #expect(try ingest.engine.check() == [])
                after += 1
                runs += 1
            }
        }
        #expect(runs > 10)
    }
}

extension [String: Any] {
    /// A count of the report's totals.
    func total(_ name: String) -> Int? { (self["total"] as? [String: Any])?[name] as? Int }

    /// The names of what was not understood.
    var unknownNames: [String] {
        (self["notUnderstood"] as? [[String: Any]] ?? []).compactMap { $0["name"] as? String }
    }

    /// The reasons why entries were not understood.
    var reasons: [String] {
        (self["notUnderstood"] as? [[String: Any]] ?? []).compactMap { $0["reason"] as? String }
    }

    var remarks: [String] { self["remarks"] as? [String] ?? [] }
}
