/// What scanning one piece of markup came to.
enum TagOutcome {
    case tag(ScannedTag)
    /// The window ends within it.
    case needsMore
    /// It is not markup as it should be; scanning may go on at `resume`.
    case malformed(resume: Int)
}
