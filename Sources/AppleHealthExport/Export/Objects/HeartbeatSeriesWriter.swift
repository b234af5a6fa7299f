import HealthEngine
import HealthFiles
import HealthModel
import HealthPages
import HealthImport

/// Writes a heartbeat series as the list in a heart-rate variability record: the counterpart of
/// ``HeartbeatSeriesReader``.
///
/// The list belongs to the record with the same source, device and dates. Times are formatted as in the archive that
/// the series was imported from, or as iOS does in English.
enum HeartbeatSeriesWriter {
    /// The list; `nil` for a record without beats.
    ///
    /// - Parameter offset: The offset of the archive's dates from UTC in seconds.
    static func element(_ series: ObjectRecord, offset: Int) -> ArchivedElement? {
        guard case .document(let document) = series.body,
            let offsets = document.series[HeartbeatSeriesDocument.offsets], !offsets.isEmpty,
            offsets.allSatisfy({ abs($0) < 1e9 }), abs(series.start) < 1e12
        else { return nil }
        let rates = document.series[HeartbeatSeriesDocument.rates] ?? computedRates(offsets)
        guard rates.count == offsets.count else { return nil }
        let given = series.metadata.text(HeartbeatSeriesReader.clockKey)
        var beats =
            given.flatMap { preserved(offsets, rates, clocks: $0) }
            ?? list(offsets, rates, from: series.start + Double(offset))
        if let texts = series.metadata.text(HeartbeatSeriesReader.ratesKey)?.split(separator: "\n").map(String.init),
            texts.count == rates.count
        {
            beats.rateTexts = texts
        }
        return beats.element
    }

    /// The list in its original format; `nil` if the clock times do not match the beats.
    private static func preserved(_ offsets: [Double], _ rates: [Double], clocks text: String) -> BeatList? {
        let clocks = text.split(separator: "\n").map(String.init)
        guard let first = clocks.first.flatMap(BeatClock.init) else { return nil }
        let ticks = offsets.map { (first.ticks + Int((($0 - offsets[0]) * 100).rounded())) % BeatClock.hour }
        let hours = 1 + zip(ticks, ticks.dropFirst()).count { $0 > $1 }
        guard hours == clocks.count, ticks.allSatisfy({ $0 >= 0 }) else { return nil }
        return BeatList(ticks: ticks, rates: rates, clocks: clocks)
    }

    /// The list in English format, for the local time `local` at the start.
    private static func list(_ offsets: [Double], _ rates: [Double], from local: Double) -> BeatList {
        var list = BeatList(ticks: [], rates: rates, clocks: [])
        for offset in offsets {
            let ticks = Int(((local + offset) * 100).rounded())
            let day = ((ticks % 8_640_000) + 8_640_000) % 8_640_000
            let tick = day % BeatClock.hour
            if list.ticks.isEmpty || tick < list.ticks[list.ticks.count - 1] { list.clocks.append(english(day)) }
            list.ticks.append(tick)
        }
        return list
    }

    /// Formats hundredths of a second since midnight as `7:47:41.86 PM`.
    private static func english(_ ticks: Int) -> String {
        func pair(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        let hour = ticks / BeatClock.hour
        let rest = ticks % BeatClock.hour
        return
            "\(hour % 12 == 0 ? 12 : hour % 12):\(pair(rest / 6_000)):\(pair(rest / 100 % 60)).\(pair(rest % 100)) \(hour < 12 ? "AM" : "PM")"
    }

    /// Beats per minute from the time since the previous beat; the first beat has the rate of the second.
    private static func computedRates(_ offsets: [Double]) -> [Double] {
        var rates = zip(offsets.dropFirst(), offsets).map { later, earlier in
            later > earlier ? (60 / (later - earlier)).rounded() : 0
        }
        rates.insert(rates.first ?? 0, at: 0)
        return rates
    }
}

/// Finds the heartbeat series of the records of a page: a record and its series have the same source, device and dates.
struct RecordBeats {
    private struct Key: Hashable {
        var start: Double
        var end: Double
        var revision: SourceRevisionRecord?
        var device: DeviceRecord?
    }

    /// A series and its list.
    struct Placed: Sendable {
        var element: ArchivedElement
        /// The series, if the list does not hold all of it.
        var supplemented: ObjectRecord?
    }

    private let contents: StoreContents
    /// Sequences of the series whose record was found.
    private(set) var placed: Set<Int64> = []

    init(contents: StoreContents) {
        self.contents = contents
    }

    /// Whether samples of a type can have series.
    static func canHaveSeries(_ type: TypeDescription) -> Bool {
        type.identifier == "HKQuantityTypeIdentifierHeartRateVariabilitySDNN"
    }

    /// The heartbeat lists of a page's records, by row.
    mutating func elements(
        of header: PageHeader, _ body: UnsafeRawBufferPointer, _ selection: ContentsSelection, offset: Int
    ) throws -> [Int: Placed] {
        var waiting: [Key: [ObjectRecord]] = [:]
        let window = ContentsSelection(since: header.firstStart, until: header.lastStart.nextUp)
        try contents.visitObjects(of: HeartbeatSeriesReader.type, in: window) { series in
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
            elements[row] = Placed(element: element, supplemented: contents.isGivenIdentity(of: series) ? series : nil)
        }
        return elements
    }
}
