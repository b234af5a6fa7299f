import HealthEngine
import HealthModel

/// What one or more commits touched.
struct CommitDigest: Sendable {
    /// The last sequence of the commits that touched each type.
    private var sequences: [TypeCode: Int64] = [:]
    /// Types of which observers are told though nothing was written.
    private var announced: Set<TypeCode> = []
    private(set) var settingsChanged = false

    init(_ commit: Commit) {
        merge(commit)
    }

    /// Adds a later commit.
    mutating func merge(_ commit: Commit) {
        for type in commit.types {
            sequences[type] = max(sequences[type] ?? .min, commit.sequences.upperBound)
        }
        if commit.isAnnouncement {
            announced.formUnion(commit.types)
        }
        settingsChanged = settingsChanged || commit.settingsChanged
    }

    /// Whether samples of the type were added or deleted.
    func touches(_ type: TypeCode) -> Bool { sequences[type] != nil }

    /// Whether samples of the type were added or deleted after a place in the sequence. A query that has
    /// just read may hear of a commit that it has seen already.
    func touches(_ type: TypeCode, after sequence: Int64) -> Bool {
        sequences[type].map { $0 > sequence } ?? false
    }

    /// Whether observers of the type are told whatever they find.
    func announces(_ type: TypeCode) -> Bool { announced.contains(type) }
}
