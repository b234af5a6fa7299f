/// A page during a visit. The two byte ranges belong to the backend and are valid only inside the
/// visiting closure: copy what must outlive it.
public struct PageView {
    /// Where the page stands.
    public let key: PageKey
    /// What the backend knows of the page.
    public let bounds: PageBounds
    /// The encoded page header.
    public let header: UnsafeRawBufferPointer
    /// Empty when the visit did not ask for bodies.
    public let body: UnsafeRawBufferPointer

    /// Makes a view; the byte ranges must outlive the visiting closure.
    public init(
        key: PageKey, bounds: PageBounds, header: UnsafeRawBufferPointer,
        body: UnsafeRawBufferPointer
    ) {
        self.key = key
        self.bounds = bounds
        self.header = header
        self.body = body
    }

    /// The page as a value of its own.
    public var copy: StoredPage {
        StoredPage(key: key, bounds: bounds, header: Array(header), body: Array(body))
    }
}
