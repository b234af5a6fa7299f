import Foundation
import HTTPTypes
import HealthAccess
import HealthJSON
import Hummingbird
import Logging
import NIOCore
import Synchronization

/// Sends requests to the routes of the API in this process, without a connection.
final class APIDispatcher: Sendable {
    private let core: ServerCore
    private let responder: RouterResponder<ServerRequestContext>

    /// An answer of the API.
    struct Answer: Sendable {
        var status: Int
        var bytes: [UInt8]
        /// Whether it has more bytes than are kept.
        var isCut = false
        /// The media type, and the name of a file.
        var media = ""
        var fileName: String?

        /// The reason for a failure, from problem details; `nil` without one.
        var problem: String? {
            guard status >= 400 else { return nil }
            var reader = JSONReader(.bytes(bytes))
            return (try? reader.value())?["detail"]?.text ?? "The request failed with status \(status)."
        }
    }

    /// Creates a dispatcher with the routes about a person.
    init(core: ServerCore) {
        self.core = core
        let router = Router(context: ServerRequestContext.self)
        let group = router.group("/v1/people/{person}")
            .add(middleware: PersonAdmission(core: core, source: .path))
            .group(context: PersonRequestContext.self)
        for resource in Routes.personResources(core) { resource.addRoutes(to: group) }
        responder = router.buildResponder()
    }

    /// Answers a request on behalf of an identity.
    func answer(_ call: AssistantTool.Call, person: String, identity: Identity) async throws -> Answer {
        var path = "/v1/people/\(person)/\(call.path)"
        if !call.query.isEmpty {
            path += "?" + call.query.map { "\($0.name)=\(Self.encoded($0.value))" }.joined(separator: "&")
        }
        var head = HTTPRequest(method: call.isPost ? .post : .get, scheme: "http", authority: "localhost", path: path)
        if call.body != nil { head.headerFields[.contentType] = "application/json" }
        let request = Request(head: head, body: RequestBody(buffer: ByteBuffer(bytes: call.body ?? [])))
        let response: Response
        do {
            response = try await responder.respond(
                to: request, context: ServerRequestContext(core: core, identity: identity))
        } catch {
            response = Problem(error).response
        }
        let collected = CollectedBody()
        try await response.body.write(collected)
        return Answer(
            status: response.status.code, bytes: collected.bytes, isCut: collected.isCut,
            media: response.headers[.contentType] ?? "",
            fileName: response.headers[.contentDisposition]?.firstMatch(of: /filename="([^"]+)"/).map { String($0.1) })
    }

    /// Percent-encodes everything but letters, digits and `-._~`.
    static func encoded(_ text: String) -> String {
        let unreserved = "abcdefghijklmnopqrstuvwxyzABCDEFGHIJKLMNOPQRSTUVWXYZ0123456789-._~"
        return text.addingPercentEncoding(withAllowedCharacters: CharacterSet(charactersIn: unreserved)) ?? ""
    }
}

/// The bytes of a response, up to a size.
private final class CollectedBody: ResponseBodyWriter, Sendable {
    private let state = Mutex<[UInt8]>([])
    /// More than an assistant can use; the rest isn't kept.
    private static let maximum = 4 << 20

    var bytes: [UInt8] { state.withLock { $0 } }

    var isCut: Bool { state.withLock { $0.count > Self.maximum } }

    func write(_ buffer: ByteBuffer) async throws {
        state.withLock { bytes in
            guard bytes.count <= Self.maximum else { return }
            bytes.append(contentsOf: buffer.readableBytesView)
        }
    }

    func finish(_ trailingHeaders: HTTPFields?) async throws {}
}

extension ServerRequestContext {
    private struct LocalSource: RequestContextSource {
        let logger: Logger
    }

    /// The context of a request within this process.
    init(core: ServerCore, identity: Identity) {
        coreContext = CoreRequestContextStorage(source: LocalSource(logger: core.logger))
        channel = nil
        self.core = core
        self.identity = identity
    }
}
