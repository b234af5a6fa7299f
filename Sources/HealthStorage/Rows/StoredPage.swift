/// One page as a backend keeps it: key, bounds, and two opaque byte strings.
public struct StoredPage: Hashable, Sendable {
    /// Where the page stands.
    public var key: PageKey
    /// What the backend must know of it; the engine sees to it that header and bounds agree.
    public var bounds: PageBounds
    /// The encoded page header.
    public var header: [UInt8]
    /// The encoded columns; empty when a read did not ask for bodies.
    public var body: [UInt8]

    /// Makes a page row of bytes that a backend never looks into.
    public init(key: PageKey, bounds: PageBounds, header: [UInt8], body: [UInt8]) {
        self.key = key
        self.bounds = bounds
        self.header = header
        self.body = body
    }
}
