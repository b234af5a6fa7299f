import HealthEngine
import HealthModel

/// Finds the page of a sample by its number, for joins over numbers: all pages by their ranges of numbers.
///
/// Only headers are read, once; then a number costs a search. The last pages found stay decoded.
final class SequenceIndex {
    private unowned let context: TableContext
    /// Ordered by least number; with the greatest number of any page up to here.
    private var entries: [(page: SamplePage, type: TypeDescription, reach: Int64)]?

    init(_ context: TableContext) {
        self.context = context
    }

    /// The pages that may hold the number; of one type where one is given.
    func pages(holding sequence: Int64, of type: TypeCode? = nil) throws -> [(page: SamplePage, type: TypeDescription)] {
        let entries = try self.entries ?? learn()
        var low = 0
        var high = entries.count
        while low < high {
            let middle = (low + high) / 2
            if entries[middle].page.sequences.lowerBound <= sequence { low = middle + 1 } else { high = middle }
        }
        var found: [(SamplePage, TypeDescription)] = []
        var index = low - 1
        while index >= 0, entries[index].reach >= sequence {
            let entry = entries[index]
            if entry.page.sequences.contains(sequence), type == nil || entry.type.code == type {
                found.append((entry.page, entry.type))
            }
            index -= 1
        }
        return found
    }

    private func learn() throws -> [(page: SamplePage, type: TypeDescription, reach: Int64)] {
        var all: [(page: SamplePage, type: TypeDescription, reach: Int64)] = []
        for type in try context.types.get() where type.kind.isPaged {
            for page in try context.reading.pages(of: type.code) { all.append((page, type, 0)) }
        }
        all.sort { $0.page.sequences.lowerBound < $1.page.sequences.lowerBound }
        var reach = Int64.min
        for index in all.indices {
            reach = max(reach, all[index].page.sequences.upperBound)
            all[index].reach = reach
        }
        entries = all
        return all
    }
}
