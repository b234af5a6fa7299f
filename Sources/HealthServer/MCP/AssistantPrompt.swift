import HealthFormats
import HealthJSON

/// A task that a person chooses in an assistant, written out with the tools that it needs: a row of
/// Scripts/tables/assistant-prompts.tsv.
struct AssistantPrompt: Sendable {
    let name: String
    let title: String
    let about: String
    /// The argument that the person can give: its name and its meaning.
    let argument: (name: String, about: String)
    let text: String
}

extension JSONText {
    /// Writes a prompt for `prompts/list`.
    mutating func prompt(_ prompt: AssistantPrompt) {
        object { json in
            json.member("name", text: prompt.name)
            json.member("title", text: prompt.title)
            json.member("description", text: prompt.about)
            json.array("arguments") { json in
                json.object { json in
                    json.member("name", text: prompt.argument.name)
                    json.member("description", text: prompt.argument.about)
                }
            }
        }
    }

    /// Writes the members of the answer to `prompts/get`.
    mutating func members(of prompt: AssistantPrompt, _ arguments: JSONValue?) {
        let given = arguments?[prompt.argument.name]?.text.map { " My \(prompt.argument.name): \($0)" } ?? ""
        member("description", text: prompt.about)
        array("messages") { json in
            json.object { json in
                json.member("role", text: "user")
                json.object("content") { json in
                    json.member("type", text: "text")
                    json.member("text", text: prompt.text + given)
                }
            }
        }
    }
}
