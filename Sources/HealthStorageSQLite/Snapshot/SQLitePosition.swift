/// How far a store's sequence has come.
///
/// The number last given out stands in the rows that took it: so a small save need not write a counter as well.
/// The counter is written when a transaction leaves its block of numbers, when it gave out a number that no row
/// keeps, and when it took rows out, whose numbers would be forgotten.
struct SQLitePosition: Hashable, Sendable {
    /// The last number given out.
    var last: Int64
    /// `last_sequence` of the store's row: at most `last`, and in the same block.
    var counter: Int64

    /// The last number of the block of 1,024 that `sequence` is in.
    static func bound(_ sequence: Int64) -> Int64 { sequence | 1_023 }
}
