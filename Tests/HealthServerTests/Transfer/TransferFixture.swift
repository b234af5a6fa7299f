import Dispatch
import Foundation
import Testing

@testable import HealthServer

/// Archives to upload, and the end of their imports.
enum TransferFixture {
    /// The main file of an archive.
    static func archive(_ count: Int) -> Data {
        var xml = """
            <?xml version="1.0" encoding="UTF-8"?>
            <HealthData locale="en_US">
             <ExportDate value="2026-02-06 12:00:00 +0100"/>
             <Me HKCharacteristicTypeIdentifierDateOfBirth="1990-01-01"/>

            """
        for index in 0..<count {
            let time = String(format: "%02d:%02d:%02d", index / 3_600 % 24, index / 60 % 60, index % 60)
            xml += """
                 <Record type="HKQuantityTypeIdentifierStepCount" sourceName="Watch" unit="count" \
                startDate="2026-02-05 \(time) +0100" endDate="2026-02-05 \(time) +0100" value="\(index % 50)"/>

                """
        }
        return Data((xml + "</HealthData>\n").utf8)
    }

    /// Keeps imports from beginning while `body` runs, as two others that take long do.
    static func whileImportsWait<Value>(_ server: TestServer, _ body: () async throws -> Value) async throws -> Value {
        let gate = DispatchSemaphore(value: 0)
        let (started, continuation) = AsyncStream.makeStream(of: Void.self)
        let pool = server.core.pool
        for _ in 0..<2 {
            Task {
                try await pool.runTransfer {
                    continuation.yield()
                    gate.wait()
                }
            }
        }
        defer { for _ in 0..<2 { gate.signal() } }
        var iterator = started.makeAsyncIterator()
        for _ in 0..<2 { _ = await iterator.next() }
        return try await body()
    }

    /// The paths of a person's uploads in the folder of a server.
    static func uploads(of person: String = "anna", in folder: String) -> [String] {
        let imports = StoreLocation.folder(folder).workFolder(of: person) + "/imports"
        let names = (try? FileManager.default.contentsOfDirectory(atPath: imports)) ?? []
        return names.filter { $0.hasSuffix(".upload") }.map { imports + "/" + $0 }
    }

    /// Waits for the end of an import by its events, and returns the last one.
    static func finished(_ location: String, _ client: TestClient) async throws -> (name: String, data: [String: Any]) {
        let stream = try await client.open("GET", location + "/events")
        #expect(stream.headers["content-type"] == "text/event-stream")
        var name = ""
        var data: [String: Any] = [:]
        for try await line in stream.lines {
            if line.hasPrefix("event: ") { name = String(line.dropFirst(7)) }
            if line.hasPrefix("data: ") {
                data = try JSONSerialization.jsonObject(with: Data(line.dropFirst(6).utf8)) as? [String: Any] ?? [:]
            }
        }
        await stream.close()
        return (name, data)
    }
}
