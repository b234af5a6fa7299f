import Foundation

/// An archive into whose elements a test has put something unknown: an attribute, a child and text, each with a
/// number of its own.
struct OddArchive {
    /// One thing put in.
    struct Mark: Hashable {
        /// The text by which it is found: `a12` an attribute, `c12` a child, `t12` text.
        var text: String
        /// The element it was put into, and the line it stands on.
        var element: String
        var line: Int
        /// The line on which the element directly in `HealthData` begins that it is part of.
        var outerLine: Int
    }

    private(set) var text = ""
    private(set) var marks: [Mark] = []
    /// The names of the elements that got something.
    var elements: Set<String> { Set(marks.map(\.element)) }

    /// - Parameter takes: Whether an element of this name, the so-manieth, is to get something.
    init(_ archive: String, takes: (String, Int) -> Bool) {
        let root = archive.range(of: "<HealthData")!.lowerBound
        text = String(archive[..<root])
        text.reserveCapacity(archive.utf8.count * 2)
        var line = text.utf8.count { $0 == 10 } + 1
        var depth = 0
        var outerLine = 0
        var counts: [Substring: Int] = [:]
        var rest = archive[root...]
        while let open = rest.firstIndex(of: "<") {
            let before = rest[..<open]
            text += before
            line += before.utf8.count { $0 == 10 }
            let close = rest[open...].firstIndex(of: ">")!
            let tag = rest[open...close]
            rest = rest[archive.index(after: close)...]
            guard !tag.hasPrefix("</") else {
                depth -= 1
                text += tag
                continue
            }
            if depth == 1 { outerLine = line }
            let name = tag.dropFirst().prefix { $0.isLetter }
            counts[name, default: 0] += 1
            let isEmpty = tag.hasSuffix("/>")
            guard takes(String(name), counts[name]!) else {
                text += tag
                line += tag.utf8.count { $0 == 10 }
                if !isEmpty { depth += 1 }
                continue
            }
            let number = marks.count / 3
            for kind in ["a", "c", "t"] {
                marks.append(
                    Mark(
                        text: "\(kind)\(number)", element: String(name), line: line,
                        outerLine: depth == 0 ? line : outerLine))
            }
            text += tag.dropLast(isEmpty ? 2 : 1) + " zz=\"a\(number)\"><Zz of=\"c\(number)\"/>t\(number)."
            if isEmpty { text += "</\(name)>" } else { depth += 1 }
            line += tag.utf8.count { $0 == 10 }
        }
        text += rest
    }

    /// How often each mark occurs in a text.
    static func marks(in text: String) -> [String: Int] {
        var found: [String: Int] = [:]
        for match in text.matches(of: /zz="(a\d+)"|<Zz of="(c\d+)"|(?:<Zz of="c\d+"\/>|>)[^<>]*?(t\d+)\./) {
            if let mark = match.1 ?? match.2 ?? match.3 { found[String(mark), default: 0] += 1 }
            // A child is followed by its text.
            if match.3 != nil, let child = match.0.firstMatch(of: /of="(c\d+)"/) {
                found[String(child.1), default: 0] += 1
            }
        }
        return found
    }
}
