import HealthModel

/// A `Record` or `Correlation` with its children, before anything is made of it.
struct SampleElement {
    var fields: RecordFields
    var entries: [Metadata.Entry] = []
    /// Lists of heartbeats.
    var beats: [BeatList] = []
    /// Records inside a correlation.
    var members: [Member] = []
    /// Names of attributes and children that are kept but not understood.
    var oddities: [String] = []
    /// Those of the entries that stand for them.
    var others: [Metadata.Entry] = []
    /// Just past the element.
    var end: Int

    /// A record inside, with where it begins.
    struct Member {
        var outcome: RecordOutcome
        var offset: Int
        /// What it holds that is not understood.
        var others: [Metadata.Entry]
    }

    /// Keeps what is not understood.
    mutating func keep(_ entry: Metadata.Entry) {
        entries.append(entry)
        if entry.key.hasPrefix(MetadataKey.archivedPrefix) { others.append(entry) }
    }

    /// The lists of heartbeats among the metadata, for a sample that cannot have a series beside it.
    mutating func keepBeatsAsEntries() {
        entries += beats.map { ArchivedMetadata.child($0.element) }
        beats = []
    }

    enum Reading {
        case element(SampleElement)
        case needsMore
        case malformed(resume: Int, reason: String)
        /// It has more parts than are taken.
        case tooManyParts
    }
}
