/// A delegate that is not kept.
// Unchecked: the reference is handed over as the application set it; what the delegate does on the
// background queue is its own affair, as with the original.
struct WeakDelegate: @unchecked Sendable {
    weak var object: AnyObject?
}
