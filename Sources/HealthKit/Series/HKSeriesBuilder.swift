public import Foundation

/// Gathers the elements of a series and makes a sample of them; the base of such builders.
// Unchecked: no stored property of its own; subclasses keep what changes in a Mutex.
open class HKSeriesBuilder: NSObject, @unchecked Sendable {
    // Builders come from their subclasses' initializers.
    override init() {
        super.init()
    }

    /// Throws the series away. The builder cannot be used afterwards.
    open func discard() {}
}
