import AppleHealthExport

/// A file of an archive that is read together with others, when it is its turn.
struct ArchiveFile {
    /// What a file contains.
    enum Kind: Hashable {
        case google(GoogleFile)
        case healthConnect
    }

    let kind: Kind
    let file: InputFile

    /// Whether at least one of some files is what Google's name of it says: others may have such names.
    static func isGoogles(_ files: [ArchiveFile]) -> Bool {
        files.lazy.filter { file in
            guard case .google(let kind) = file.kind else { return false }
            return kind.isEvidence
        }.prefix(100).contains { file in
            guard case .google(let kind) = file.kind else { return false }
            return kind.matches(head: file.head[...])
        }
    }

    /// Whether a file among Google's is one of another service, because its name is a common one and it begins otherwise. A
    /// damaged one is what its name says.
    var isForeign: Bool {
        guard case .google(let kind) = kind, kind.hasCommonName else { return false }
        let head = head
        return !head.isEmpty && !kind.matches(head: head[...])
    }

    private var head: [UInt8] { file.head(DeviceFormat.headLength) ?? [] }
}
