public import Foundation

/// A sample that holds a long inner series: the points of a route, single heartbeats.
// Unchecked: adds no stored property to its superclass.
open class HKSeriesSample: HKSample, @unchecked Sendable {
    /// How many elements the series has.
    open var count: Int { 0 }

    override init(identity: UUID, context: ObjectContext, start: Double, end: Double) {
        super.init(identity: identity, context: context, start: start, end: end)
    }

    public required init?(coder: NSCoder) {
        super.init(coder: coder)
    }
}
