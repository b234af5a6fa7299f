import Foundation
import HealthFormats
import HealthJSON

/// The Model Context Protocol: answers the messages of an assistant's client about one person.
///
/// It has no sessions. Versions up to 2025-11-25 begin with `initialize`; since 2026-07-28 each request names its
/// version, and `server/discover` says what there is. Both are answered by the same tools.
struct AssistantProtocol: Sendable {
    let tools: AssistantTools

    /// The versions with the handshake, the newest last.
    static let handshakeVersions = ["2024-11-05", "2025-03-26", "2025-06-18", "2025-11-25"]
    /// The versions in which each request names its version.
    static let requestVersions = ["2026-07-28"]
    /// All versions, the newest last.
    static var versions: [String] { handshakeVersions + requestVersions }

    /// The answer to a message, and whether it is an error; `nil` bytes for a notification.
    struct Answer: Sendable {
        var bytes: [UInt8]?
        /// The status over HTTP.
        var status = 200
    }

    /// Answers one message, or several in an array as in 2025-03-26.
    ///
    /// - Parameter check: Checks a message against its transport.
    func answer(
        _ body: [UInt8], check: (AssistantMessage) throws(AssistantError) -> Void = { _ in }
    ) async -> Answer {
        var reader = JSONReader(.bytes(body), isLenient: true)
        let value: JSONValue
        do {
            value = try reader.value()
            try reader.end()
        } catch {
            let error = AssistantError(.parsing, "The message is not JSON.")
            return Answer(bytes: error.answer(to: nil), status: error.status)
        }
        guard case .array(let values) = value else { return await answer(value, check: check) }
        guard !values.isEmpty, values.count <= 100 else {
            let error = AssistantError.invalidRequest(nil)
            return Answer(bytes: error.answer(to: nil), status: error.status)
        }
        var parts: [[UInt8]] = []
        for value in values {
            if let bytes = await answer(value, check: check).bytes { parts.append(bytes) }
        }
        guard !parts.isEmpty else { return Answer() }
        return Answer(bytes: [UInt8(ascii: "[")] + parts.joined(separator: [UInt8(ascii: ",")]) + [UInt8(ascii: "]")])
    }

    private func answer(
        _ value: JSONValue, check: (AssistantMessage) throws(AssistantError) -> Void
    ) async -> Answer {
        if AssistantMessage.isAnswer(value) { return Answer() }
        var id: JSONValue?
        var isModern = false
        do throws(AssistantError) {
            let message = try AssistantMessage(value)
            id = message.id
            isModern = message.version != nil
            try check(message)
            guard let id = message.id else { return Answer() }
            let result = try await result(of: message)
            let bytes = JSONText.objectBytes { json in
                json.member("jsonrpc", text: "2.0")
                json.key("id")
                id.write(to: &json)
                json.key("result")
                result.withUnsafeBufferPointer { json.raw($0) }
            }
            return Answer(bytes: bytes)
        } catch {
            let isHTTPError = isModern || error.code == .headerMismatch || error.code == .invalidRequest
            return Answer(bytes: error.answer(to: id), status: isHTTPError ? error.status : 200)
        }
    }

    // MARK: Methods

    private func result(of message: AssistantMessage) async throws(AssistantError) -> [UInt8] {
        if let version = message.version {
            guard case .string(let text) = version else {
                throw AssistantError(.invalidParameters, "The protocol version is not a string.")
            }
            guard Self.requestVersions.contains(text) else { throw .unsupported(text) }
        }
        switch message.method {
        case "initialize": return initialization(message)
        case "server/discover": return discovery()
        case "ping": return Self.object(message) { _ in }
        case "tools/list":
            return Self.object(message, isCacheable: true) { json in
                json.array("tools") { json in for tool in tools.all { tool.write(to: &json) } }
            }
        case "tools/call": return try await call(message)
        case "prompts/list":
            return Self.object(message, isCacheable: true) { json in
                json.array("prompts") { json in for prompt in AssistantPrompt.all { json.prompt(prompt) } }
            }
        case "prompts/get":
            guard let prompt = AssistantPrompt.all.first(where: { $0.name == message.parameters["name"]?.text }) else {
                let names = AssistantPrompt.all.map(\.name).joined(separator: ", ")
                throw AssistantError(.invalidParameters, "“name” is not one of \(names).")
            }
            return Self.object(message) { $0.members(of: prompt, message.parameters["arguments"]) }
        default: throw AssistantError(.methodNotFound, "Method not found")
        }
    }

    /// A result. Since 2026-07-28 it has a type and says whose it is.
    private static func object(
        _ message: AssistantMessage?, isCacheable: Bool = false, _ members: (inout JSONText) -> Void
    ) -> [UInt8] {
        JSONText.objectBytes { json in
            if message == nil || message?.version != nil {
                json.member("resultType", text: "complete")
                json.object("_meta") { json in
                    json.key("io.modelcontextprotocol/serverInfo")
                    server(&json)
                }
                if isCacheable {
                    json.member("ttlMs", integer: 60_000)
                    json.member("cacheScope", text: "private")
                }
            }
            members(&json)
        }
    }

    private static func server(_ json: inout JSONText) {
        json.object { json in
            json.member("name", text: "openhealthkit")
            json.member("title", text: "OpenHealthKit")
            json.member("version", text: "0.1.0")
        }
    }

    private static func capabilities(_ json: inout JSONText) {
        json.object("capabilities") { json in
            for name in ["tools", "prompts"] {
                json.object(name) { json in json.member("listChanged", flag: false) }
            }
        }
    }

    private func initialization(_ message: AssistantMessage) -> [UInt8] {
        let requested = message.parameters["protocolVersion"]?.text ?? ""
        // A version that is unknown here is answered with the newest known one; the client decides.
        let version =
            Self.handshakeVersions.contains(requested)
            ? requested : Self.handshakeVersions[Self.handshakeVersions.count - 1]
        return JSONText.objectBytes { json in
            json.member("protocolVersion", text: version)
            Self.capabilities(&json)
            json.key("serverInfo")
            Self.server(&json)
            json.member("instructions", text: instructions)
        }
    }

    private func discovery() -> [UInt8] {
        Self.object(nil, isCacheable: true) { json in
            json.member("supportedVersions", texts: Self.versions)
            Self.capabilities(&json)
            json.member("instructions", text: instructions)
        }
    }

    private var instructions: String {
        var text = """
            The HealthKit data of one person. Types have the names that people use, such as heart rate or blood pressure; \
            list_types finds others. Prefer statistics, trends and the other summaries to samples: one call with a range, an \
            interval and compare=previous answers most questions. “end” isn’t part of a range. Values have units, beside them or \
            in “units”; times are ISO 8601. “coverage” says how many days of the range have data: say so if few have. A “note” says \
            that intervals are longer, or results fewer, than asked for.
            """
        let timeZone = tools.calendar.timeZone
        text +=
            " It is \(tools.now.ISO8601Format(.iso8601(timeZone: timeZone))) in the time zone \(timeZone.identifier)."
        text +=
            tools.allowsWriting ? " log_sample saves a sample; everything else only reads." : " Everything only reads."
        return text
    }

    private func call(_ message: AssistantMessage) async throws(AssistantError) -> [UInt8] {
        guard let name = message.parameters["name"]?.text else {
            throw AssistantError(.invalidParameters, "“name” is missing.")
        }
        guard let tool = tools.all.first(where: { $0.name == name }) else {
            throw AssistantError(.invalidParameters, "Unknown tool: \(name.prefix(100))")
        }
        let arguments = message.parameters["arguments"] ?? .object(JSONMembers())
        let outcome = await tools.run(tool, arguments: arguments)
        return Self.object(message) { json in
            json.array("content") { json in
                json.object { json in
                    json.member("type", text: "text")
                    json.member("text", text: String(decoding: outcome.text, as: UTF8.self))
                }
            }
            if outcome.isObject {
                json.key("structuredContent")
                outcome.text.withUnsafeBufferPointer { json.raw($0) }
            }
            json.member("isError", flag: outcome.isError)
        }
    }
}
