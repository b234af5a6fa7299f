import HealthFormats
import HealthJSON

/// A JSON-RPC message of an assistant's client, and the answer to it.
struct AssistantMessage {
    /// The identifier of a request; `nil` for a notification.
    let id: JSONValue?
    let method: String
    let parameters: JSONValue
    /// The protocol version that the request itself names, as since 2026-07-28.
    let version: JSONValue?

    /// The member of `_meta` that names the version.
    static let versionKey = "io.modelcontextprotocol/protocolVersion"

    /// Reads a message.
    ///
    /// - Throws: ``AssistantError`` for anything but a request or notification.
    init(_ value: JSONValue) throws(AssistantError) {
        guard value.members != nil, value["jsonrpc"] == .string("2.0") else { throw .invalidRequest(nil) }
        let id = value["id"]
        switch id {
        case nil, .string: break
        case .number(let number) where number.isFinite: break
        default: throw .invalidRequest(nil)
        }
        guard case .string(let method) = value["method"] else { throw .invalidRequest(id) }
        self.id = id
        self.method = method
        switch value["params"] {
        case nil: parameters = .object(JSONMembers())
        case .object(let members): parameters = .object(members)
        default:
            var error = AssistantError(.invalidParameters, "“params” is not an object.")
            error.id = id
            throw error
        }
        version = parameters["_meta"]?[Self.versionKey]
    }

    /// Whether the value answers a request, which this server never sends.
    static func isAnswer(_ value: JSONValue) -> Bool {
        value["method"] == nil && (value["result"] != nil || value["error"] != nil)
    }
}

/// An error of JSON-RPC.
struct AssistantError: Error, Hashable {
    /// The codes of JSON-RPC and of the Model Context Protocol.
    enum Code: Int64 {
        case parsing = -32_700
        case invalidRequest = -32_600
        case methodNotFound = -32_601
        case invalidParameters = -32_602
        case internalError = -32_603
        case headerMismatch = -32_020
        case unsupportedVersion = -32_022
    }

    var code: Code
    var message: String
    /// The identifier of the request, where it could be read.
    var id: JSONValue?
    /// The version that was asked for, for ``Code/unsupportedVersion``.
    var requestedVersion: String?

    init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    static func invalidRequest(_ id: JSONValue?) -> AssistantError {
        var error = AssistantError(.invalidRequest, "The message is not a JSON-RPC 2.0 request or notification.")
        error.id = id
        return error
    }

    static func unsupported(_ version: String) -> AssistantError {
        var error = AssistantError(.unsupportedVersion, "Unsupported protocol version")
        error.requestedVersion = String(version.prefix(100))
        return error
    }

    /// The status over HTTP for clients since 2026-07-28.
    var status: Int {
        switch code {
        case .methodNotFound: 404
        case .internalError: 200
        default: 400
        }
    }

    /// The answer with the error.
    func answer(to id: JSONValue?) -> [UInt8] {
        JSONText.objectBytes { json in
            json.member("jsonrpc", text: "2.0")
            json.key("id")
            (self.id ?? id ?? .null).write(to: &json)
            json.object("error") { json in
                json.member("code", integer: Int(code.rawValue))
                json.member("message", text: message)
                guard let requestedVersion else { return }
                json.object("data") { json in
                    json.member("supported", texts: AssistantProtocol.versions)
                    json.member("requested", text: requestedVersion)
                }
            }
        }
    }
}
