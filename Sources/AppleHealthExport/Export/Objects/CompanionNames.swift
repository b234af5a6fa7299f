/// The paths given to files of one archive so far. Two that differ only in case would be one file to many
/// a file system.
struct CompanionNames {
    private var taken: Set<String> = []

    /// The path itself, or, where it is taken, the path with `_1`, `_2` … before its extension.
    mutating func unique(_ path: String) -> String {
        let name = path.lastIndex(of: "/").map { path.index(after: $0) } ?? path.startIndex
        let dot = path[name...].lastIndex(of: ".") ?? path.endIndex
        var candidate = path
        var number = 0
        while !taken.insert(CompanionPath.folded(candidate)).inserted {
            number += 1
            candidate = "\(path[..<dot])_\(number)\(path[dot...])"
        }
        return candidate
    }

    /// A path in `folder` that nobody else has: the `wanted` one where it lies directly there, else one of
    /// `name` with the suffix.
    mutating func claim(_ wanted: String?, in folder: String, otherwise name: String, suffix: String) -> String {
        if let wanted, Self.lies(wanted, in: folder) { return unique(wanted) }
        return unique("/\(folder)/" + name.map { Self.isPlain($0) ? String($0) : "_" }.joined() + suffix)
    }

    /// Whether a path an archive named is `/folder/name`, with a name that is one and no way out.
    private static func lies(_ path: String, in folder: String) -> Bool {
        let start = "/\(folder)/"
        guard path.hasPrefix(start), path.utf8.count <= 1_000 else { return false }
        let name = path.dropFirst(start.count)
        return !name.isEmpty && name != "." && name != ".."
            && !name.unicodeScalars.contains { $0 == "/" || $0 == "\\" || $0.value < 0x20 || $0.value == 0x7F }
    }

    private static func isPlain(_ character: Character) -> Bool {
        character.isASCII && (character.isLetter || character.isNumber || "-_.".contains(character))
    }
}
