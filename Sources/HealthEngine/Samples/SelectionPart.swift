import HealthModel
import HealthPages
import HealthStorage

/// What is read of one type: which rows, which columns, from which part of the store.
struct SelectionPart {
    let type: TypeCode
    let test: RowTest
    /// Columns to bring back; starts, ends, sequences and what the sort needs are among them.
    let columns: SampleColumnSet
    /// Rows at or below this sequence are left out.
    let after: Int64

    init(type: TypeCode, test: RowTest, columns: SampleColumnSet, after: Int64 = 0) {
        self.type = type
        self.test = test
        self.columns = columns.union([.starts, .ends, .sequences])
        self.after = after
    }

    /// Where to look for rows. A position in the sequence narrows more than any span of time.
    var window: PageWindow {
        after > 0 ? .sequencesAfter(after) : test.timeHull.window
    }

    /// The window for pages whose ends reach an instant, as well as what the test asks for.
    func window(endsAtOrAfter instant: Double) -> PageWindow {
        test.timeHull.intersection(TimeHull(endsAtOrAfter: instant)).window
    }

    /// Sequences that rows must be among, if the test asks for a few single ones.
    var fewSequences: [Int64]? {
        guard after == 0 else { return nil }
        let parts: [RowTest]
        if case .every(let inner) = test { parts = inner } else { parts = [test] }
        for case .sequence(let set) in parts where set.count <= 32 {
            return (set.plain + set.derived).sorted()
        }
        return nil
    }

    /// The test that a page's rows still have to pass; `.always(false)` for a page to skip.
    func reduced(by header: PageHeader) -> RowTest {
        guard header.greatestSequence > after else { return .always(false) }
        return test.reduced(by: header)
    }
}
