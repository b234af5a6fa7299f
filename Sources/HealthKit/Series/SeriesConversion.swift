import HealthModel

// Routes and heartbeat series ⇄ documents.

extension RouteColumns: DocumentFields {
    typealias SampleType = HKSeriesType

    init(_ document: DocumentBody) {
        self = Self.columns(document) ?? RouteColumns()
    }

    var document: DocumentBody {
        let names = RouteDocument.Column.allCases.map(\.rawValue)
        return DocumentBody(series: Dictionary(uniqueKeysWithValues: zip(names, columns)))
    }

    static func isComplete(_ document: DocumentBody) -> Bool { columns(document) != nil }

    /// Returns the columns of a document; `nil` if their lengths differ.
    private static func columns(_ document: DocumentBody) -> RouteColumns? {
        RouteColumns(columns: RouteDocument.Column.allCases.map { document.series[$0.rawValue] ?? [] })
    }
}

extension HKHeartbeatSeriesSample.Fields: DocumentFields {
    typealias SampleType = HKSeriesType
    private typealias Series = HeartbeatSeriesDocument

    init(_ document: DocumentBody) {
        self.init(
            offsets: document.series[Series.offsets], gaps: document.series[Series.gaps],
            rates: document.series[Series.rates])
    }

    var document: DocumentBody {
        var document = DocumentBody()
        document.series[Series.offsets] = offsets
        document.series[Series.gaps] = gaps
        document.series[Series.rates] = rates
        return document
    }

    static func isComplete(_ document: DocumentBody) -> Bool {
        guard let offsets = document.series[Series.offsets], !offsets.isEmpty else { return false }
        return document.series[Series.gaps].map { $0.count == offsets.count } ?? true
    }
}

extension HKSeriesType: SampleClassProviding {
    func sample(_ base: SampleBase, _ record: ObjectRecord) -> HKSample? {
        switch identifier {
        case HKWorkoutRouteTypeIdentifier: HKWorkoutRoute.stored(base, record)
        case HKDataTypeIdentifierHeartbeatSeries: HKHeartbeatSeriesSample.stored(base, record)
        default: nil
        }
    }
}
