import HealthModel

/// A `Record` or `Correlation` with its children, before anything is made of it.
struct SampleElement {
    var fields: RecordFields
    var entries: [Metadata.Entry] = []
    /// Records inside a correlation.
    var members: [Member] = []
    /// Names of attributes and children that are kept but not understood.
    var oddities: [String] = []
    /// Just past the element.
    var end: Int

    /// A record inside, with where it begins.
    struct Member {
        var outcome: RecordOutcome
        var offset: Int
    }

    enum Reading {
        case element(SampleElement)
        case needsMore
        case malformed(resume: Int, reason: String)
    }
}
