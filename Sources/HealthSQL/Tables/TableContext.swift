import HealthEngine
import HealthModel

/// What all tables of one connection share: the state they read, the clock, and the nouns as texts that SQLite
/// may point to.
final class TableContext {
    let reading: StoreReading
    let clock: LocalClock
    let pool = TextPool()
    /// Counted for tests.
    var pagesRead = 0
    /// Counted for tests.
    var rowsVisited = 0

    private(set) lazy var units = reading.dictionaries.units.map { pool[$0] }
    private(set) lazy var sources = reading.dictionaries.revisions.map { pool[$0.source.name] }
    private(set) lazy var bundleIdentifiers = reading.dictionaries.revisions.map { pool[$0.source.bundleIdentifier] }
    private(set) lazy var devices = reading.dictionaries.devices.map { pool[$0.name ?? $0.model ?? $0.hardwareVersion] }
    private lazy var revisionNumbers = Dictionary(
        reading.dictionaries.revisions.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    private lazy var deviceNumbers = Dictionary(
        reading.dictionaries.devices.enumerated().map { ($1, $0 + 1) }, uniquingKeysWith: { first, _ in first })
    private(set) lazy var sequences = SequenceIndex(self)

    init(_ reading: StoreReading, clock: LocalClock) {
        self.reading = reading
        self.clock = clock
    }

    /// The types there are, in the alphabetical order of their short names, case aside.
    private(set) lazy var types: Result<[TypeDescription], any Error> = Result {
        try reading.types().sorted { ($0.shortName.lowercased(), $0.code) < ($1.shortName.lowercased(), $1.code) }
    }

    /// Whether local days ascend with time over all that may be stored.
    private(set) lazy var daysAscend = clock.daysAscend(from: -978_307_200, to: 1_577_836_800)

    /// The instants a row tells of an object. A day's rings are kept as the day at Greenwich; they are of the local
    /// day of that date.
    func span(_ place: ObjectPlace) -> (start: Double, end: Double) {
        guard reading.dictionaries.type(place.type)?.kind == .activitySummary else { return (place.start, place.end) }
        let day = Int((place.start / 86_400).rounded(.down))
        return (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
    }

    func revisionNumber(_ revision: SourceRevisionRecord?) -> Int? { revision.flatMap { revisionNumbers[$0] } }
    func deviceNumber(_ device: DeviceRecord?) -> Int? { device.flatMap { deviceNumbers[$0] } }
}

/// Seconds from 1970-01-01, which SQL programs count from, to 2001-01-01, which the store counts from.
let unixToReference = 978_307_200.0
