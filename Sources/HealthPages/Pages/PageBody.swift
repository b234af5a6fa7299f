/// How a body is laid out: the lengths of its columns as varints, the columns in the order of
/// ``Column``, and ``BitPacking/slack`` zero bytes, so that the last packed number can be loaded whole.
enum PageBody {
    /// The columns in their order. A column of length 0 holds nothing that the header does not say.
    enum Column: Int, CaseIterable {
        case starts, ends, values, units, revisions, devices, metadata, sequences, uuids, creations
    }

    static let leastLength = Column.allCases.count + BitPacking.slack
}
