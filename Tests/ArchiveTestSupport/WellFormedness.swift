/// A small, independent XML checker: tags are nested and closed, attributes are quoted and unique, references are
/// known, and there is one root element.
package enum WellFormedness {
    /// The first error and its position, or `nil`.
    package static func fault(in text: String) -> String? {
        var scanner = Scanner(characters: Array(text.unicodeScalars))
        return scanner.document()
    }

    private struct Scanner {
        let characters: [Unicode.Scalar]
        var place = 0
        var open: [String] = []
        var roots = 0

        mutating func document() -> String? {
            while place < characters.count {
                let fault = characters[place] == "<" ? markup() : content()
                if let fault { return "\(fault) at \(place)" }
            }
            if let last = open.last { return "<\(last)> is not closed" }
            return roots == 1 ? nil : "there are \(roots) roots"
        }

        private func starts(_ text: String) -> Bool {
            let wanted = Array(text.unicodeScalars)
            return place + wanted.count <= characters.count && Array(characters[place..<place + wanted.count]) == wanted
        }

        /// Moves past the next occurrence of the text.
        private mutating func pass(_ text: String) -> Bool {
            while place < characters.count {
                if starts(text) {
                    place += text.unicodeScalars.count
                    return true
                }
                place += 1
            }
            return false
        }

        private mutating func content() -> String? {
            while place < characters.count, characters[place] != "<" {
                let character = characters[place]
                if character == "&", let fault = reference() { return fault }
                if open.isEmpty, !" \n\r\t".unicodeScalars.contains(character) { return "text outside the root" }
                if character.value < 32, !"\n\r\t".unicodeScalars.contains(character) { return "control character" }
                place += 1
            }
            return nil
        }

        private mutating func reference() -> String? {
            guard let end = characters[place...].prefix(12).firstIndex(of: ";") else { return "a bare &" }
            let name = String(String.UnicodeScalarView(characters[(place + 1)..<end]))
            guard ["lt", "gt", "amp", "quot", "apos"].contains(name) || name.hasPrefix("#") else { return "&\(name);" }
            place = end
            return nil
        }

        private mutating func markup() -> String? {
            if starts("<?") { return pass("?>") ? nil : "<? is not closed" }
            if starts("<!--") { return pass("-->") ? nil : "a comment is not closed" }
            if starts("<!DOCTYPE") { return pass("]>") ? nil : "the document type is not closed" }
            if starts("</") {
                place += 2
                let name = word()
                guard open.popLast() == name else { return "</\(name)> closes nothing" }
                return pass(">") ? nil : "</\(name) has no end"
            }
            place += 1
            return element()
        }

        private mutating func element() -> String? {
            let name = word()
            guard !name.isEmpty else { return "a tag without a name" }
            if open.isEmpty { roots += 1 }
            var seen: Set<String> = []
            while place < characters.count {
                let blanks = skipBlanks()
                if starts("/>") {
                    place += 2
                    return nil
                }
                if starts(">") {
                    place += 1
                    open.append(name)
                    return nil
                }
                let attribute = word()
                guard blanks > 0, !attribute.isEmpty, seen.insert(attribute).inserted else {
                    return "attributes of <\(name)>"
                }
                guard starts("=\"") else { return "\(attribute) has no value" }
                place += 2
                while place < characters.count, characters[place] != "\"" {
                    if characters[place] == "<" { return "< in \(attribute)" }
                    if characters[place] == "&", let fault = reference() { return fault }
                    place += 1
                }
                place += 1
            }
            return "<\(name) has no end"
        }

        private mutating func word() -> String {
            let start = place
            while place < characters.count,
                characters[place].properties.isAlphabetic || characters[place].properties.numericType != nil
            {
                place += 1
            }
            return String(String.UnicodeScalarView(characters[start..<place]))
        }

        private mutating func skipBlanks() -> Int {
            let start = place
            while place < characters.count, " \n\r\t".unicodeScalars.contains(characters[place]) { place += 1 }
            return place - start
        }
    }
}
