/// A place among the rows of a table.
class VirtualCursor {
    /// Goes to the first row of a plan.
    func filter(_ plan: IndexPlan, _ arguments: [SQLArgument]) throws {}

    /// Whether there is no row here any more.
    var isAtEnd: Bool { true }

    /// Goes to the next row.
    func next() throws {}

    /// Gives the value of a column at this row.
    func column(_ index: Int, to result: SQLResult) throws {}

    /// A number that tells the row from the others.
    var rowNumber: Int64 { get throws { 0 } }
}
