/// Some rows of a ``RowBuffer``, ordered by start.
struct RowSpan {
    var starts: UnsafeMutablePointer<Double>
    var ends: UnsafeMutablePointer<Double>
    var values: UnsafeMutablePointer<Double>
    var count: Int
}
