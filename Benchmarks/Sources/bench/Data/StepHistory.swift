import HealthEngine
import HealthModel

/// Ten years of steps from a phone and a watch that overlap, with half of the samples each.
///
/// The same seed produces the same samples.
struct StepHistory {
    static let type = TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount")?.code ?? TypeCode(rawValue: 0)
    static let day = 86_400.0

    /// The samples of both sources, sorted by start; numbers refer to ``dictionaries``.
    private(set) var columns: SampleColumns
    private(set) var dictionaries = StoreDictionaries()

    /// The start of the first day, in seconds since 2001.
    let firstDay: Double
    let dayCount: Int

    private static let sources: [(name: String, bundle: String, product: String)] = [
        ("Phone", "com.apple.health.6F3D2A10-0001", "iPhone15,2"),
        ("Watch", "com.apple.health.6F3D2A10-0002", "Watch6,7"),
    ]

    /// - Parameter firstDay: The number of the first day, in days since 2001; the default is the first of January 2016.
    init(count: Int, days: Int = 3_650, seed: UInt64 = 1, firstDay: Int = 5_479) {
        self.firstDay = Double(firstDay) * Self.day
        dayCount = days
        columns = SampleColumns(type: Self.type)
        for source in Self.sources {
            let record = SourceRecord(bundleIdentifier: source.bundle, name: source.name)
            dictionaries.sources.append(record)
            dictionaries.revisions.append(
                SourceRevisionRecord(source: record, version: "17.4", productType: source.product))
            dictionaries.devices.append(
                DeviceRecord(
                    name: source.name, manufacturer: "Apple Inc.", model: source.name,
                    hardwareVersion: source.product, softwareVersion: "17.4"))
        }
        dictionaries.units = ["count"]
        fill(count: count, seed: seed)
    }

    private mutating func fill(count: Int, seed: UInt64) {
        var random = SplitMix(state: seed)
        var rows: [(start: Double, end: Double, value: Double, source: UInt32)] = []
        rows.reserveCapacity(count)
        for source in 1...2 as ClosedRange<UInt32> {
            let own = source == 1 ? count / 2 : count - count / 2
            for index in 0..<own {
                // Spread evenly over the days and, within each day, from 6:00 to 23:00.
                let day = index * dayCount / own
                let first = (day * own + dayCount - 1) / dayCount
                let next = ((day + 1) * own + dayCount - 1) / dayCount
                let gap = 17 * 3_600.0 / Double(max(1, next - first))
                let start =
                    firstDay + Double(day) * Self.day + 6 * 3_600 + (Double(index - first) * gap).rounded()
                    + Double(random.below(30))
                // Samples of one source don't overlap, as in real data.
                let length = 20 + random.below(UInt64(max(21, gap - 60)))
                rows.append((start, start + Double(length), Double(1 + random.below(length * 2)), source))
            }
        }
        rows.sort { ($0.start, $0.source) < ($1.start, $1.source) }
        columns.starts = rows.map(\.start)
        columns.ends = rows.map(\.end)
        columns.values = rows.map(\.value)
        columns.units = [UInt32](repeating: 1, count: rows.count)
        columns.revisions = rows.map(\.source)
        columns.devices = rows.map(\.source)
        columns.metadata.numbers = [UInt32](repeating: 0, count: rows.count)
    }

    /// The bounds of all days, in seconds since 2001.
    var dayBounds: [Double] {
        (0...dayCount).map { firstDay + Double($0) * Self.day }
    }

    /// Returns a span in the middle that contains this many samples.
    func span(of count: Int) -> Range<Double> {
        let first = (columns.starts.count - count) / 2
        return columns.starts[first]..<columns.starts[first + count]
    }
}

/// A SplitMix64 generator (Steele, Lea, Flood 2014), which produces the same numbers on every machine.
struct SplitMix {
    var state: UInt64

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }

    /// Returns a number from 0 up to, but not including, a bound.
    mutating func below(_ bound: UInt64) -> UInt64 {
        next() % bound
    }
}
