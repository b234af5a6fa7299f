import HealthModel

/// Who the revisions in some pages belong to: for merging, and for figures by source.
struct SourceTable: Sendable {
    /// Places in the merge order that occur, best first; a row's class is its index here.
    let classCount: Int
    /// All sources that occur.
    let sources: [SourceRecord]
    private let classes: [UInt16]
    private let sourceIndexes: [UInt16]

    /// - Parameter revisions: numbers that occur, ascending.
    init(revisions: [UInt32], hasHandEntries: Bool, order: MergeOrder, dictionaries: StoreDictionaries) {
        let places = Set(revisions.map { order.place(ofRevision: $0) }).sorted()
        let first = hasHandEntries ? 1 : 0
        classCount = places.count + first
        let size = Int(revisions.last ?? 0) + 1
        var classes = [UInt16](repeating: 0, count: size)
        var indexes = [UInt16](repeating: 0, count: size)
        var sources: [SourceRecord] = []
        for revision in revisions {
            let place = places.lowerBound(of: order.place(ofRevision: revision))
            classes[Int(revision)] = UInt16(place + first)
            let source =
                dictionaries.revision(revision)?.source ?? SourceRecord(bundleIdentifier: "", name: "")
            let index = sources.firstIndex(of: source) ?? sources.count
            if index == sources.count { sources.append(source) }
            indexes[Int(revision)] = UInt16(index)
        }
        self.sources = sources
        self.classes = classes
        sourceIndexes = indexes
    }

    /// What rows are told apart by.
    enum Key {
        case mergeClass, source
    }

    func groupCount(by key: Key) -> Int {
        key == .mergeClass ? classCount : sources.count
    }

    /// Group numbers by revision number.
    func groups(by key: Key) -> [UInt16] {
        key == .mergeClass ? classes : sourceIndexes
    }
}
