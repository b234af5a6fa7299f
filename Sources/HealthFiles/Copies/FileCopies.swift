/// Finds files that are there twice, as in two downloads of an archive: their samples would count twice.
struct FileCopies {
    /// The properties that copies have in common.
    private struct Signature: Hashable {
        let size: Int
        /// The last part of the name, without the number that programs give to a second copy.
        let name: String
    }

    private var known: [Signature: [InputFile]] = [:]

    /// Whether an earlier file has the same contents.
    mutating func isCopy(_ file: InputFile) -> Bool {
        let last = file.plainName.split(separator: "/").last ?? ""
        let name = last.contains("(") ? last.replacing(#/ ?\(\d+\)(?=\.|$)/#, with: "") : last
        let signature = Signature(size: file.size, name: String(name))
        if known[signature, default: []].contains(where: file.hasSameContents) { return true }
        known[signature, default: []].append(file)
        return false
    }
}
