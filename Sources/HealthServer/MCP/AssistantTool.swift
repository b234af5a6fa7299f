import Foundation
import HealthFormats
import HealthJSON

/// A tool that an assistant can call: its description, its arguments, and the request of the API that answers it.
struct AssistantTool: Sendable {
    /// An argument.
    struct Argument: Sendable {
        enum Kind: Sendable {
            case text, integer(ClosedRange<Int>), number, choice([String])
        }

        var name: String
        var kind: Kind
        var about: String
        var isRequired = false
    }

    /// A request of the API, below the person.
    struct Call: Sendable {
        var isPost = false
        var path: String
        var query: [(String, String)] = []
        var body: [UInt8]?
    }

    var name: String
    var title: String
    var about: String
    var arguments: [Argument]
    var isWriting = false
    /// Makes the request from arguments that fit their kinds.
    var call: @Sendable (Arguments) throws(AssistantArgumentError) -> Call

    /// The arguments of a call.
    struct Arguments: Sendable {
        let values: [String: JSONValue]

        /// Checks the arguments.
        init(_ value: JSONValue, of tool: AssistantTool) throws(AssistantArgumentError) {
            guard let members = value.members else { throw AssistantArgumentError("The arguments are not an object.") }
            let given = members.dictionary.filter { $0.value != .null }
            let names = tool.arguments.map(\.name)
            if let unknown = given.keys.sorted().first(where: { !names.contains($0) }) {
                throw AssistantArgumentError(
                    "“\(unknown.prefix(60))” is not an argument of \(tool.name). It has \(names.joined(separator: ", "))."
                )
            }
            for argument in tool.arguments {
                guard let value = given[argument.name] else {
                    guard !argument.isRequired else { throw AssistantArgumentError("\(argument.name) is required.") }
                    continue
                }
                switch argument.kind {
                case .text:
                    guard value.text != nil else { throw AssistantArgumentError("\(argument.name) is not a text.") }
                case .number:
                    guard value.number != nil else { throw AssistantArgumentError("\(argument.name) is not a number.") }
                case .integer(let range):
                    guard let number = value.number.flatMap({ Int(exactly: $0) }), range.contains(number) else {
                        throw AssistantArgumentError(
                            "\(argument.name) is not an integer from \(range.lowerBound) to \(range.upperBound).")
                    }
                case .choice(let names):
                    guard let text = value.text, names.contains(text) else {
                        throw AssistantArgumentError("\(argument.name) is not one of \(names.joined(separator: ", ")).")
                    }
                }
            }
            values = given
        }

        func text(_ name: String) -> String? { values[name]?.text }
        func number(_ name: String) -> Double? { values[name]?.number }
        func integer(_ name: String) -> Int? { values[name]?.number.flatMap { Int(exactly: $0) } }

        /// The given arguments as parameters, renamed as listed.
        func query(_ names: [(argument: String, parameter: String)]) -> [(String, String)] {
            names.compactMap { argument, parameter in
                switch values[argument] {
                case .number(let number): (parameter, ShortestNumber.shortest(number) ?? "")
                case let value?: value.text.map { (parameter, $0) }
                case nil: nil
                }
            }
        }
    }

    /// Writes the tool for `tools/list`.
    func write(to json: inout JSONText) {
        json.object { json in
            json.member("name", text: name)
            json.member("title", text: title)
            json.member("description", text: about)
            json.key("inputSchema")
            json.object { json in
                json.member("type", text: "object")
                json.key("properties")
                json.object { json in
                    for argument in arguments {
                        json.key(argument.name)
                        argument.write(to: &json)
                    }
                }
                let required = arguments.filter(\.isRequired)
                if !required.isEmpty {
                    json.key("required")
                    json.array { json in for argument in required { json.string(argument.name) } }
                }
                json.key("additionalProperties")
                json.bool(false)
            }
            json.key("annotations")
            json.object { json in
                json.key("readOnlyHint")
                json.bool(!isWriting)
                json.key("destructiveHint")
                json.bool(false)
                json.key("openWorldHint")
                json.bool(false)
            }
        }
    }
}

extension AssistantTool.Argument {
    fileprivate func write(to json: inout JSONText) {
        json.object { json in
            switch kind {
            case .text: json.member("type", text: "string")
            case .number: json.member("type", text: "number")
            case .integer(let range):
                json.member("type", text: "integer")
                json.member("minimum", integer: range.lowerBound)
                json.member("maximum", integer: range.upperBound)
            case .choice(let names):
                json.member("type", text: "string")
                json.key("enum")
                json.array { json in for name in names { json.string(name) } }
            }
            json.member("description", text: about)
        }
    }
}

/// Arguments that don't fit a tool; the description says which.
struct AssistantArgumentError: Error {
    let description: String

    init(_ description: String) { self.description = description }
}
