import HealthModel

/// Where a type's elements stand in an archive: samples, correlations, workouts, summaries, documents.
struct ExportOrder: Comparable {
    private let rank: Int
    private let code: TypeCode

    init(_ type: TypeDescription) {
        code = type.code
        // Of one identifier in two families, the one that has it without a suffix must come first, so that it
        // has it in the store that reads the archive too.
        let isSuffixed = RecordStyle.identifier(type) != type.identifier
        rank =
            switch type.kind {
            case .quantity, .category: isSuffixed ? 2 : 0
            case .document where type.code >= .firstUnknown: isSuffixed ? 3 : 1
            case .correlation: isSuffixed ? 5 : 4
            case .workout: 6
            case .activitySummary: 7
            case .characteristic, .series, .document: 8
            }
    }

    static func < (left: ExportOrder, right: ExportOrder) -> Bool {
        (left.rank, left.code) < (right.rank, right.code)
    }
}
