import Foundation
import HealthJSON

/// A file in an assistant's conversation: its content, or the address of one that is too large for it.
struct AssistantFile {
    private let answer: APIDispatcher.Answer
    private let address: String

    /// - Parameter address: The path of the file in the API.
    init(_ answer: APIDispatcher.Answer, address: String) {
        (self.answer, self.address) = (answer, address)
    }

    /// The file as JSON, without its content if it would have more bytes than a result may.
    func text(within maximum: Int) -> [UInt8] {
        let whole = json(hasContent: true)
        return whole.count <= maximum && !answer.isCut ? whole : json(hasContent: false)
    }

    private func json(hasContent: Bool) -> [UInt8] {
        JSONText.objectBytes { json in
            json.member("name", text: answer.fileName)
            json.member("mediaType", text: answer.media)
            if !answer.isCut { json.member("size", integer: answer.bytes.count) }
            json.member("address", text: address)
            guard hasContent else { return }
            let text = answer.media.hasSuffix("xml") ? String(validating: answer.bytes, as: UTF8.self) : nil
            json.member("encoding", text: text == nil ? "base64" : "text")
            json.member("content", text: text ?? Data(answer.bytes).base64EncodedString())
        }
    }
}
