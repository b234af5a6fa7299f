/// What a generated archive holds: the tally that an import of it must come to.
public struct GeneratedArchive: Hashable, Sendable {
    /// `Record` elements at top level, as they stand in the file.
    public internal(set) var records = 0
    /// Samples and objects by type identifier, as a store that has taken in everything counts them: a
    /// correlation's members once, equal records as often as they stand there.
    public internal(set) var contents: [String: Int] = [:]
    /// Points of all routes.
    public internal(set) var routePoints = 0
    /// Beats of all variability lists.
    public internal(set) var beats = 0
    /// Voltages of all electrocardiograms.
    public internal(set) var voltages = 0
    /// Control characters that XML does not allow.
    public internal(set) var controlCharacters = 0
    /// Paths inside the archive of all files, the main file first.
    public internal(set) var files: [String] = []

    /// An archive with nothing in it yet.
    public init() {}

    mutating func count(_ identifier: String, _ number: Int = 1) {
        contents[identifier, default: 0] += number
    }
}
