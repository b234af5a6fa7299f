public import HealthModel

/// Samples or objects by type and filter, in order, up to a limit.
public struct SampleRequest: Sendable {
    /// One type with its filter.
    public struct Part: Hashable, Sendable {
        /// The type wanted; one the store does not know has no samples.
        public var type: TypeCode
        /// Which of its samples are wanted.
        public var filter: SampleFilter

        /// Asks for samples of one type, all of them unless a filter is given.
        public init(type: TypeCode, filter: SampleFilter = .all) {
            self.type = type
            self.filter = filter
        }
    }

    /// The union of these is returned, each sample once.
    public var parts: [Part]
    /// Keys in order of weight; ties, and an empty list, follow insertion order.
    public var sort: [SampleSort]
    /// 0 for no limit; applied after sorting.
    public var limit: Int
    /// Which columns the caller reads. Starts, ends and sequences are decoded in any case.
    public var columns: SampleColumnSet

    /// Asks for samples of the parts, in insertion order and without limit unless given.
    public init(
        parts: [Part], sort: [SampleSort] = [], limit: Int = 0, columns: SampleColumnSet = .all
    ) {
        self.parts = parts
        self.sort = sort
        self.limit = limit
        self.columns = columns
    }
}
