/// What a save did.
public struct SaveOutcome: Hashable, Sendable {
    /// How many samples and objects were written, members of objects included.
    public var saved: Int
    /// How many were ignored because a newer or equal sync version is stored.
    public var ignored: Int
    /// How many older sync versions were replaced.
    public var replaced: Int

    /// Makes an outcome of counts.
    public init(saved: Int = 0, ignored: Int = 0, replaced: Int = 0) {
        self.saved = saved
        self.ignored = ignored
        self.replaced = replaced
    }
}
