import HealthModel

/// The sources of the revisions in some pages, for merging and for figures by source.
struct SourceTable: Sendable {
    /// The number of merge classes: the places in the merge order that occur, best first.
    let classCount: Int
    /// All sources that occur.
    let sources: [SourceRecord]
    private let classes: [UInt32]
    private let sourceIndexes: [UInt32]

    /// - Parameter revisions: The numbers that occur, ascending.
    init(revisions: [UInt32], hasEntriesByHand: Bool, order: MergeOrder, dictionaries: StoreDictionaries) {
        let places = Set(revisions.map { order.place(ofRevision: $0) }).sorted()
        let first = hasEntriesByHand ? 1 : 0
        classCount = places.count + first
        let size = Int(revisions.last ?? 0) + 1
        var classes = [UInt32](repeating: 0, count: size)
        var indexes = [UInt32](repeating: 0, count: size)
        var sources: [SourceRecord] = []
        var indexBySource: [SourceRecord: UInt32] = [:]
        for revision in revisions {
            let place = places.lowerBound(of: order.place(ofRevision: revision))
            classes[Int(revision)] = UInt32(place + first)
            let source = dictionaries.revision(revision)?.source ?? SourceRecord(bundleIdentifier: "", name: "")
            let index = indexBySource[source] ?? UInt32(sources.count)
            if indexBySource.updateValue(index, forKey: source) == nil { sources.append(source) }
            indexes[Int(revision)] = index
        }
        self.sources = sources
        self.classes = classes
        sourceIndexes = indexes
    }

    /// What rows are grouped by.
    enum Key {
        case mergeClass, source
    }

    func groupCount(by key: Key) -> Int {
        key == .mergeClass ? classCount : sources.count
    }

    /// Group numbers by revision number.
    func groups(by key: Key) -> [UInt32] {
        key == .mergeClass ? classes : sourceIndexes
    }
}

/// The conversions from every unit number to the unit of the results.
struct CanonicalUnits: Sendable {
    /// The unit of all results.
    let unit: String
    private let conversions: [UnitConversion?]

    init(unit: String, dictionaries: StoreDictionaries) {
        self.unit = unit
        conversions = [nil] + dictionaries.units.map { UnitConversion(from: $0, to: unit) }
    }

    /// `nil` for a unit that is not compatible.
    func conversion(_ number: UInt32) -> UnitConversion? {
        number < conversions.count ? conversions[Int(number)] : nil
    }
}
