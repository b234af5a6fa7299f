/// Something that gathers rows by bucket.
protocol BucketFold {
    /// Rows that lie inside the bucket from start to end.
    mutating func add(_ run: Range<Int>, of rows: RowSpan, in bucket: Int)
    /// The part from one instant to another of a row that crosses a bound; it lies inside the bucket
    /// and is longer than nothing.
    mutating func addPiece(of row: Int, _ rows: RowSpan, from start: Double, to end: Double, in bucket: Int)
}
