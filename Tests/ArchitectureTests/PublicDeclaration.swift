/// One declaration that other modules may use, as it stands in a source file.
///
/// Found line by line: sources of this package are indented by four spaces and hold one declaration a line.
struct PublicDeclaration {
    /// Line of the declaration's keyword, from 1.
    var line: Int
    /// The line, trimmed.
    var text: String
    /// Whether a `///` comment precedes it; attributes and reasons in `//` may be between them.
    var isDocumented: Bool

    /// The declarations of a file: what says `public` or `open`, cases of public enumerations and requirements
    /// of public protocols. What conformances merely demand, and is documented where it comes from, is left out.
    static func all(in source: String) -> [PublicDeclaration] {
        let lines = source.split(separator: "\n", omittingEmptySubsequences: false)
        var found: [PublicDeclaration] = []
        var scopes: [Scope] = []
        for (index, line) in lines.enumerated() {
            let indent = line.prefix { $0 == " " }.count
            let text = line.dropFirst(indent)
            guard let first = text.first, !text.hasPrefix("//") else { continue }
            // An opening brace on a separate line still belongs to the declaration before it.
            while let scope = scopes.last, indent < scope.indent || indent == scope.indent && first != "{" {
                scopes.removeLast()
            }
            guard let words = Words(text) else { continue }
            var isPublic = words.isPublic
            if let scope = scopes.last, indent == scope.indent + 4 {
                isPublic = isPublic || scope.kind == "enum" && words.kind == "case" || scope.kind == "protocol"
            }
            if isPublic, words.kind == "enum" || words.kind == "protocol" {
                scopes.append(Scope(indent: indent, kind: words.kind))
            } else if text.hasSuffix("{") {
                scopes.append(Scope(indent: indent, kind: ""))
            }
            guard isPublic, !words.isDemanded else { continue }
            found.append(
                PublicDeclaration(
                    line: index + 1, text: String(text), isDocumented: isDocumented(index, in: lines)))
        }
        return found
    }

    private static func isDocumented(_ index: Int, in lines: [Substring]) -> Bool {
        var index = index
        var open = 0
        while index > 0 {
            index -= 1
            let text = lines[index].drop { $0 == " " }
            if open == 0, text.hasPrefix("///") { return true }
            // An attribute may take several lines; its brackets tell.
            open += text.count { $0 == ")" } - text.count { $0 == "(" }
            let isAttribute = text.hasPrefix("@") && Words(text) == nil
            guard open > 0 || isAttribute || text.hasPrefix("//") || text.hasPrefix("#if") else { return false }
        }
        return false
    }

    /// A body whose members are looked at in their own way.
    private struct Scope {
        var indent: Int
        var kind: Substring
    }

    /// A declaration's line in parts.
    private struct Words {
        var kind: Substring
        var isPublic: Bool
        /// Whether a conformance demands it.
        var isDemanded: Bool

        private static let kinds: Set<Substring> = [
            "func", "var", "let", "init", "struct", "enum", "class", "actor", "protocol", "typealias", "subscript",
            "case", "associatedtype",
        ]
        private static let modifiers: Set<Substring> = [
            "public", "open", "package", "internal", "private", "fileprivate", "static", "class", "final", "override",
            "convenience", "required", "mutating", "nonmutating", "nonisolated", "lazy", "weak", "unowned", "indirect",
            "prefix", "postfix", "infix", "dynamic", "consuming", "borrowing",
        ]
        private static let demanded: [String] = [
            "func encode(", "func copy(with", "func mutableCopy(with", "func isEqual(", "func hash(into", "func ==",
            "func <",
            "func makeAsyncIterator(", "func _", "init(coder", "init?(coder", "init(from decoder", "init(rawValue",
            "init?(rawValue", "var _", "let _", "var supportsSecureCoding", "var hash:", "var hashValue:",
            "var description:", "var debugDescription:", "var rawValue:", "let rawValue:", "struct Iterator:",
            "typealias Element ", "typealias AsyncIterator ", "typealias Output ", "typealias Sequence ",
            "typealias RawValue ", "typealias ArrayLiteralElement ",
        ]

        init?(_ line: Substring) {
            var rest = line
            isPublic = false
            while true {
                rest = rest.drop { $0 == " " }
                if rest.first == "@" {
                    rest = Self.afterBrackets(rest.dropFirst().drop { $0.isLetter })
                    continue
                }
                let word = rest.prefix { $0.isLetter }
                let after = rest.dropFirst(word.count)
                let isTypeOfKind = word == "class" && !Self.isMember(after)
                if Self.kinds.contains(word), word != "class" || isTypeOfKind {
                    kind = word
                    isDemanded = Self.demanded.contains { rest.hasPrefix($0) }
                    return
                }
                guard Self.modifiers.contains(word) else { return nil }
                // `private(set)` says nothing of the declaration itself.
                if word == "public" || word == "open", after.first == " " { isPublic = true }
                rest = Self.afterBrackets(after)
            }
        }

        /// Whether `class` stands before a member.
        private static func isMember(_ text: Substring) -> Bool {
            ["func", "var", "let", "override", "subscript", "final"].contains { text.hasPrefix(" \($0) ") }
        }

        private static func afterBrackets(_ text: Substring) -> Substring {
            guard text.first == "(" else { return text }
            var depth = 0
            for index in text.indices {
                if text[index] == "(" { depth += 1 }
                if text[index] == ")" { depth -= 1 }
                if depth == 0 { return text[text.index(after: index)...] }
            }
            return ""
        }
    }
}
