/// What a page's row says of where things are.
struct SQLitePagePlace: Equatable {
    /// The row of `page_body`; `nil` where the body stands in the page's own row.
    var body: Int64?
    var leastSequence: Int64
    var greatestSequence: Int64
}
