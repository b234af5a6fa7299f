/// The person's own order of the sources of one type, as kept in the settings.
struct SourcePreference: Hashable, Sendable, Codable {
    /// Bundle identifiers, best first. Sources not named come after these, in the default order.
    var order: [String] = []
    /// Bundle identifiers that do not count in merged statistics.
    var disabled: Set<String> = []
}
