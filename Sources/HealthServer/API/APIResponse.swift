import HTTPTypes
import HealthEngine
import HealthFormats
import HealthJSON
import HealthModel
import Hummingbird
import NIOCore

extension Response {
    /// A response with JSON that is already written.
    init(json bytes: [UInt8], status: HTTPResponse.Status = .ok) {
        self.init(json: ByteBuffer(bytes: bytes), status: status)
    }

    /// A response with JSON that is already written.
    init(json bytes: ByteBuffer, status: HTTPResponse.Status = .ok) {
        self.init(status: status, headers: [.contentType: "application/json"], body: ResponseBody(byteBuffer: bytes))
    }

    /// A response with server-sent events.
    static func events(_ body: ResponseBody) -> Response {
        Response(
            status: .ok,
            headers: [.contentType: MediaType.eventStream, .cacheControl: "no-store", .xAccelBuffering: "no"],
            body: body)
    }

    /// A response with a JSON object.
    static func object(
        status: HTTPResponse.Status = .ok, _ members: (inout JSONText) throws -> Void
    ) rethrows -> Response {
        Response(json: try JSONText.objectBytes(members), status: status)
    }
}

extension JSONText {
    /// The bytes of an object.
    static func objectBytes(_ members: (inout JSONText) throws -> Void) rethrows -> [UInt8] {
        var json = JSONText()
        try json.object(members)
        return json.bytes
    }
}

extension EngineError {
    /// Whether the error is about the arguments.
    var isAboutArguments: Bool {
        if case .invalidArgument = self { true } else { false }
    }
}

/// The media types of batches and lists of samples.
enum SampleMedia {
    /// The names under which newline-delimited JSON is known.
    static let lineNames = [
        "application/x-ndjson", "application/ndjson", "application/jsonl", "application/x-jsonlines",
    ]

    /// Whether a request asks for one sample per line.
    static func wantsLines(_ request: Request) -> Bool {
        let accepted = request.headers[values: .accept].joined(separator: ",").lowercased()
        return lineNames.contains { accepted.contains($0) }
    }

    /// Whether a body has one sample per line.
    ///
    /// - Throws: ``Problem`` `unsupportedMediaType` for a body that is neither JSON nor lines of it.
    static func hasLines(_ request: Request) throws -> Bool {
        guard let type = request.headers[.contentType]?.lowercased() else { return false }
        let name = type.prefix { $0 != ";" }.trimmingPrefix { $0 == " " }
        if lineNames.contains(String(name)) { return true }
        guard name == "application/json" || name.hasSuffix("+json") else {
            throw Problem(
                .unsupportedMediaType, "Send the samples as application/json or application/x-ndjson.")
        }
        return false
    }
}
