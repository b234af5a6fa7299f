import Foundation

/// The upload of an archive of a million records to a running server, from the first byte until the import is
/// committed, compared with `hk import` of the same file as a whole process.
enum UploadMeasurement {
    private struct Created: Decodable {
        var id: String
    }

    private struct Answer: Decodable {
        var added: Int
    }

    private struct Status: Decodable {
        var report: Answer?
        var error: String?
    }

    static func run(_ setting: Setting) throws -> Measurement {
        let archives = try Archives(in: setting)
        let body = Array(try Data(contentsOf: archives.zip))
        var comparison = Comparison()
        for round in 0...setting.pairs(5) {
            let ours = try upload(body, setting)
            let store = try setting.freshStore("upload-import.store")
            let other = try MeasuredProcess.run(
                setting.program("hk"), ["import", archives.zip.path, "--store", store.path, "--json"], in: setting)
            let added = try JSONDecoder().decode(Answer.self, from: Data(other.output.utf8)).added
            try setting.removeStore(store)
            guard ours.added == added, added > 0 else {
                throw BenchError("The upload added \(ours.added), the import \(added)")
            }
            // The first round only warms up the caches.
            if round > 0 { comparison.add(ours.cost, other.cost) }
        }
        return Measurement(lines: [
            Line("upload of an export.zip of a million records : hk import", comparison, target: .atMost(1.3))
        ])
    }

    private static func upload(_ body: [UInt8], _ setting: Setting) throws -> (cost: Cost, added: Int) {
        let store = try RunningServer.freshStore("upload.store", setting)
        let server = try RunningServer(store: store, in: setting)
        defer { server.stop() }
        let token = try server.token("--owner")
        let connection = try server.connection()
        let request = HTTPConnection.request(
            "POST", "/v1/people/me/imports", token: token, contentType: "application/zip", body: body)
        let before = try server.program.processorSeconds()
        let start = Cost.now
        let created = try JSONDecoder().decode(Created.self, from: Data(try connection.answer(to: request).body))
        let path = "/v1/people/me/imports/\(created.id)"
        // As the page does: the events say when it is done.
        let events = try server.connection()
        try events.send(HTTPConnection.request("GET", path + "/events", token: token))
        try events.receive(until: "event: done")
        let cost = Cost(
            wall: (Cost.now - start).wall, processor: try server.program.processorSeconds() - before)
        let status = try JSONDecoder().decode(
            Status.self, from: Data(try connection.answer(to: HTTPConnection.request("GET", path, token: token)).body))
        guard let report = status.report else { throw BenchError("The import failed: \(status.error ?? "")") }
        server.stop()
        try RunningServer.remove(store, setting)
        return (cost, report.added)
    }
}
