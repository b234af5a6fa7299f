import HealthEngine
import HealthModel

/// What one or more commits touched.
struct CommitDigest: Sendable {
    var types: Set<TypeCode>
    var settingsChanged: Bool

    init(_ commit: Commit) {
        types = commit.types
        settingsChanged = commit.settingsChanged
    }

    /// Adds a later commit.
    mutating func merge(_ commit: Commit) {
        types.formUnion(commit.types)
        settingsChanged = settingsChanged || commit.settingsChanged
    }
}
