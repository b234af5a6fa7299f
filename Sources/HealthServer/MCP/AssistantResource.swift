import Foundation
import HTTPTypes
import HealthAccess
import HealthEngine
import HealthJSON
import Hummingbird
import NIOCore

/// `POST /mcp`: the Model Context Protocol as streamable HTTP, without sessions and without streams of the server's
/// own.
struct AssistantResource: PersonResource {
    let core: ServerCore
    private let dispatcher: APIDispatcher
    private static let maximumBytes = 1 << 20

    init(core: ServerCore) {
        self.core = core
        dispatcher = APIDispatcher(core: core)
    }

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.post("", use: answer)
    }

    @Sendable private func answer(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        let headers = request.headers
        if let media = headers[.contentType], !media.lowercased().hasPrefix("application/json") {
            throw Problem(.unsupportedMediaType, "Send the message as application/json.")
        }
        let version = headers[.protocolVersion]
        if let version, !AssistantProtocol.versions.contains(version) {
            return Self.response(
                AssistantProtocol.Answer(bytes: AssistantError.unsupported(version).answer(to: nil), status: 400))
        }
        let body = Array(try await context.body(of: request, upTo: Self.maximumBytes).readableBytesView)
        let tools = AssistantTools(
            dispatcher: dispatcher, person: context.person.person, identity: context.access.identity,
            allowsWriting: core.configuration.allowsAssistantWrites, now: context.now, timeZone: context.timeZone)
        let assistant = AssistantProtocol(tools: tools)
        let (method, name) = (headers[.assistantMethod], headers[.assistantName])
        return Self.response(
            await assistant.answer(body) { message throws(AssistantError) in
                // Since 2026-07-28, header fields repeat the message for proxies and must agree with it.
                guard case .string(let own) = message.version else { return }
                let isNamed = ["tools/call", "prompts/get"].contains(message.method)
                let named = isNamed ? message.parameters["name"]?.text : nil
                guard version == own, method == message.method, named == nil || Self.decoded(name) == named else {
                    throw AssistantError(.headerMismatch, "The header fields don’t agree with the message.")
                }
            })
    }

    /// The value of a field that can be encoded as `=?base64?…?=`.
    private static func decoded(_ value: String?) -> String? {
        guard let value, value.hasPrefix("=?base64?"), value.hasSuffix("?=") else { return value }
        return Data(base64Encoded: String(value.dropFirst(9).dropLast(2))).flatMap { String(data: $0, encoding: .utf8) }
    }

    private static func response(_ answer: AssistantProtocol.Answer) -> Response {
        guard let bytes = answer.bytes else { return Response(status: .accepted) }
        return Response(json: bytes, status: HTTPResponse.Status(code: answer.status))
    }
}
