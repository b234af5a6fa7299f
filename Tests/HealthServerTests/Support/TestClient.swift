import Foundation
import NIOCore

/// A small HTTP client: one connection for each request, so that nothing is shared between tests.
struct TestClient: Sendable {
    let port: Int
    /// The address of this machine to connect to.
    var host = "127.0.0.1"
    /// Sent with each request; `nil` for none.
    var token: String?
    var isSecure = false
    /// The certificate to trust, for TLS.
    var certificate: String?

    /// The same client with another token, or none.
    func with(token: String?) -> TestClient {
        var client = self
        client.token = token
        return client
    }

    func get(_ path: String, headers: [String: String] = [:]) async throws -> TestResponse {
        try await send("GET", path, headers: headers)
    }

    func delete(_ path: String, headers: [String: String] = [:]) async throws -> TestResponse {
        try await send("DELETE", path, headers: headers)
    }

    /// Sends a body as JSON text.
    func post(
        _ path: String, json: String, headers: [String: String] = [:]
    ) async throws -> TestResponse {
        try await send(
            "POST", path, headers: headers.merging(["Content-Type": "application/json"]) { $1 }, body: Data(json.utf8))
    }

    /// Sends a request and reads the whole response.
    func send(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws -> TestResponse {
        let stream = try await open(method, path, headers: headers, body: body)
        var all = Data()
        for try await part in stream.body { all.append(part) }
        await stream.close()
        return TestResponse(status: stream.status, headers: stream.headers, body: all)
    }

    /// Sends a request and returns as soon as the response begins, as for events.
    func open(
        _ method: String, _ path: String, headers: [String: String] = [:], body: Data? = nil
    ) async throws -> TestStream {
        var lines = ["\(method) \(path) HTTP/1.1", "Connection: close"]
        var fields = headers
        if fields["Host"] == nil { fields["Host"] = "localhost:\(port)" }
        if let token, fields["Authorization"] == nil { fields["Authorization"] = "Bearer \(token)" }
        if let body { fields["Content-Length"] = String(body.count) }
        lines += fields.sorted { $0.key < $1.key }.map { "\($0.key): \($0.value)" }
        let head = Data((lines.joined(separator: "\r\n") + "\r\n\r\n").utf8)
        let connection = try await TestConnection(
            host: host, port: port, certificate: certificate, sending: head + (body ?? Data()))
        return try await TestStream(connection: connection, method: method)
    }
}

/// A complete response.
struct TestResponse: Sendable {
    var status: Int
    /// The fields by their names in lower case; several of one name are joined by commas.
    var headers: [String: String]
    var body: Data

    var text: String { String(decoding: body, as: UTF8.self) }

    /// The body as a JSON object.
    var json: [String: Any] {
        (try? JSONSerialization.jsonObject(with: body)) as? [String: Any] ?? [:]
    }

    /// The code of the problem details.
    var code: String? { json["code"] as? String }
}

/// A response whose body arrives piece by piece.
struct TestStream: Sendable {
    let status: Int
    let headers: [String: String]
    /// The pieces of the body, without the framing of HTTP.
    let body: AsyncThrowingStream<Data, any Error>
    private let connection: TestConnection

    fileprivate init(connection: TestConnection, method: String) async throws {
        var reader = ResponseReader(bytes: connection.received.makeAsyncIterator())
        let (status, headers) = try await reader.head()
        self.status = status
        self.headers = headers
        self.connection = connection
        let hasBody = method != "HEAD" && status != 204 && status != 304
        let (stream, continuation) = AsyncThrowingStream.makeStream(of: Data.self, throwing: (any Error).self)
        body = stream
        guard hasBody else {
            continuation.finish()
            return
        }
        // The reader moves to the task, which is its only user.
        nonisolated(unsafe) var remaining = reader
        Task {
            do {
                try await remaining.body(headers) { continuation.yield($0) }
                continuation.finish()
            } catch {
                continuation.finish(throwing: error)
            }
        }
    }

    /// The lines of the body, without their ends.
    var lines: AsyncThrowingStream<String, any Error> {
        let body = body
        return AsyncThrowingStream { continuation in
            let task = Task {
                var rest = Data()
                do {
                    for try await part in body {
                        rest.append(part)
                        while let end = rest.firstIndex(of: 0x0A) {
                            continuation.yield(String(decoding: rest[rest.startIndex..<end], as: UTF8.self))
                            rest = Data(rest[(end + 1)...])
                        }
                    }
                    if !rest.isEmpty { continuation.yield(String(decoding: rest, as: UTF8.self)) }
                    continuation.finish()
                } catch {
                    continuation.finish(throwing: error)
                }
            }
            continuation.onTermination = { _ in task.cancel() }
        }
    }

    /// Closes the connection, whether or not the response is complete.
    func close() async {
        await connection.close()
    }
}

/// Reads one HTTP/1.1 response.
private struct ResponseReader {
    var bytes: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator
    private var buffer = Data()

    init(bytes: AsyncThrowingStream<ByteBuffer, any Error>.AsyncIterator) {
        self.bytes = bytes
    }

    private mutating func more() async throws -> Bool {
        guard let part = try await bytes.next() else { return false }
        buffer.append(contentsOf: part.readableBytesView)
        return true
    }

    private mutating func line() async throws -> String {
        while true {
            if let end = buffer.firstRange(of: Data("\r\n".utf8)) {
                let line = String(decoding: buffer[..<end.lowerBound], as: UTF8.self)
                buffer = Data(buffer[end.upperBound...])
                return line
            }
            guard try await more() else { throw TestServerError("The server closed the connection.") }
        }
    }

    mutating func head() async throws -> (status: Int, headers: [String: String]) {
        let parts = try await line().split(separator: " ")
        guard parts.count >= 2, let status = Int(parts[1]) else { throw TestServerError("No status line.") }
        var headers: [String: String] = [:]
        while true {
            let line = try await line()
            guard !line.isEmpty else { return (status, headers) }
            let field = line.split(separator: ":", maxSplits: 1).map { $0.trimmingCharacters(in: .whitespaces) }
            let (name, value) = (field[0].lowercased(), field.count > 1 ? field[1] : "")
            headers[name] = headers[name].map { "\($0), \(value)" } ?? value
        }
    }

    mutating func body(_ headers: [String: String], _ deliver: (Data) -> Void) async throws {
        if headers["transfer-encoding"]?.lowercased() == "chunked" {
            while true {
                guard let size = Int(try await line().prefix { $0 != ";" }, radix: 16) else {
                    throw TestServerError("No chunk size.")
                }
                try await take(size, deliver)
                _ = try await line()
                if size == 0 { return }
            }
        }
        if let length = headers["content-length"].flatMap({ Int($0) }) { return try await take(length, deliver) }
        repeat {
            deliver(buffer)
            buffer = Data()
        } while try await more()
    }

    private mutating func take(_ count: Int, _ deliver: (Data) -> Void) async throws {
        var rest = count
        while rest > 0 {
            if buffer.isEmpty, try await !more() { throw TestServerError("The response is incomplete.") }
            let part = buffer.prefix(rest)
            deliver(Data(part))
            rest -= part.count
            buffer = Data(buffer.dropFirst(part.count))
        }
    }
}
