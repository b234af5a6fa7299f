import HealthEngine
import HealthModel
import HealthPages

/// Finds the series of heartbeats that stood under the records of a page: a record and its series have the
/// same source, device and span.
struct RecordBeats {
    private struct Key: Hashable {
        var start: Double
        var end: Double
        var revision: SourceRevisionRecord?
        var device: DeviceRecord?
    }

    /// A series with the list it is written as.
    struct Placed: Sendable {
        var element: ArchivedElement
        /// The series, where the list does not tell all of it.
        var told: ObjectRecord?
    }

    private let contents: StoreContents
    private let type: TypeCode?
    /// Sequences of the series that have found their record.
    private(set) var placed: Set<Int64> = []

    init(contents: StoreContents) {
        self.contents = contents
        type = TypeCatalog.description(for: HeartbeatSeriesReader.identifier)?.code
    }

    /// Whether samples of a type have series at all.
    static func mayStand(under type: TypeDescription) -> Bool {
        type.identifier == "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
    }

    /// The elements of a page's records, by row.
    mutating func elements(
        of header: PageHeader, _ body: UnsafeRawBufferPointer, _ selection: ContentsSelection, offset: Int
    ) throws -> [Int: Placed] {
        guard let type else { return [:] }
        var waiting: [Key: [ObjectRecord]] = [:]
        let window = ContentsSelection(since: header.firstStart, until: header.lastStart.nextUp)
        try contents.visitObjects(of: type, in: window) { series in
            if !placed.contains(series.sequence) {
                let key = Key(start: series.start, end: series.end, revision: series.revision, device: series.device)
                waiting[key, default: []].append(series)
            }
            return true
        }
        guard !waiting.isEmpty else { return [:] }
        let page = try PageReader(header: header, body: body).read([.starts, .ends, .revisions, .devices])
        var elements: [Int: Placed] = [:]
        for row in page.starts.indices where selection.includes(start: page.starts[row]) {
            let key = Key(
                start: page.starts[row], end: page.ends[row],
                revision: contents.dictionaries.revision(page.revisions[row]),
                device: contents.dictionaries.device(page.devices[row]))
            guard let series = waiting[key]?.first else { continue }
            waiting[key]?.removeFirst()
            guard let element = HeartbeatSeriesWriter.element(series, offset: offset) else { continue }
            placed.insert(series.sequence)
            elements[row] = Placed(element: element, told: contents.isGivenIdentity(of: series) ? series : nil)
        }
        return elements
    }
}
