import HealthModel

/// A source with the kind of hardware its samples suggest.
struct SourceKind: Hashable, Sendable {
    var bundleIdentifier: String
    var rank: SourceRank
}
