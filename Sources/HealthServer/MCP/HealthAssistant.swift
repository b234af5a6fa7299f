public import Foundation
import HealthAccess
import Logging

/// Answers an assistant that speaks the Model Context Protocol over standard input and output, as `hk mcp` does, on
/// behalf of a person on this machine.
public struct HealthAssistant: Sendable {
    private let core: ServerCore
    private let dispatcher: APIDispatcher
    private let person: String
    private let identity: Identity

    /// Prepares the assistant. Nothing is opened before the first message.
    ///
    /// - Parameters:
    ///   - person: The identifier of the person.
    ///   - allowsWriting: Whether there is a tool that saves samples.
    /// - Throws: ``ServerError``, and errors of the server's files.
    public init(_ configuration: AppConfiguration, person: String, allowsWriting: Bool) throws {
        var configuration = configuration
        // Standard output belongs to the protocol.
        configuration.logger = Logger(label: "org.openhealthkit.assistant") { _ in SwiftLogNoOpLogHandler() }
        core = try ServerCore(configuration: configuration)
        dispatcher = APIDispatcher(core: core)
        self.person = person
        identity = .local(isReadOnly: !allowsWriting)
    }

    /// Answers a line with a message; `nil` for a notification.
    public func answer(_ line: Data) async -> Data? {
        let timeZone = (try? await core.admit(identity, to: person).timeZone) ?? core.configuration.timeZone
        let tools = AssistantTools(
            dispatcher: dispatcher, person: person, identity: identity, allowsWriting: !identity.isReadOnly,
            now: core.now(), timeZone: timeZone)
        let assistant = AssistantProtocol(tools: tools)
        return await assistant.answer(Array(line)).bytes.map { Data($0) }
    }

    /// Closes the store.
    public func close() async {
        await core.close()
    }
}
