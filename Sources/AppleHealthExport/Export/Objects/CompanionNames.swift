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
}
