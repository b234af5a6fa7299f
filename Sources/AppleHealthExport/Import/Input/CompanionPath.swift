import Foundation

/// The path of a file beside the main file, as the main file gives it, taken apart.
struct CompanionPath: Hashable {
    /// Folders and name, without empty parts.
    let parts: [String]

    /// Throws for a path that climbs out of its folder, or that is none.
    init(_ text: String) throws(CompanionError) {
        // Tools on other systems write the other slash.
        let parts = text.split { $0 == "/" || $0 == "\\" }.map(String.init).filter { $0 != "." }
        guard !parts.contains(".."), !text.utf8.contains(0) else { throw .outside }
        guard !parts.isEmpty, parts.count <= 16, text.utf8.count <= 4_096 else { throw .missing }
        self.parts = parts
    }

    /// The form under which names that differ only in case are the same. Composed and decomposed
    /// letters are the same to `String` already.
    static func folded(_ name: some StringProtocol) -> String {
        name.lowercased()
    }

    /// Whether what ``skeleton(_:)`` leaves of a name before its extension still tells it from others.
    static func isTold(bySkeletonOf name: some StringProtocol) -> Bool {
        let stem = name.lastIndex(of: ".").map { String(name[..<$0]) } ?? String(name)
        return skeleton(stem).count >= 6
    }

    /// What is left of a name whose letters beyond ASCII were spoilt on the way: by a wrong code page,
    /// or by Info-ZIP, which writes them as `#U202f`.
    static func skeleton(_ name: some StringProtocol) -> String {
        var plain = ""
        var rest = Substring(name)
        while let first = rest.first {
            if rest.hasPrefix("#U"), rest.dropFirst(2).prefix(4).count == 4,
                rest.dropFirst(2).prefix(4).allSatisfy(\.isHexDigit)
            {
                rest = rest.dropFirst(6)
                continue
            }
            if first.isASCII, first.isLetter || first.isNumber || first == "/" { plain += first.lowercased() }
            rest = rest.dropFirst()
        }
        return plain
    }
}
