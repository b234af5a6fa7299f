public import Foundation

/// A series of single heartbeats. Read the beats with an ``HKHeartbeatSeriesQuery``.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKHeartbeatSeriesSample: HKSeriesSample, DocumentSample, @unchecked Sendable {
    /// The stored values: columns of one length, a row for each beat.
    struct Fields: Hashable, Sendable {
        /// Seconds since the start, ascending.
        var offsets: [Double]?
        /// 1 where beats were missed before this one, else 0; `nil` if unknown.
        var gaps: [Double]?
        /// Beats per minute at each beat, from an archive; `nil` if unknown.
        var rates: [Double]?
    }

    final let fields: Fields

    init(_ base: SampleBase, fields: Fields) {
        self.fields = fields
        super.init(base)
    }

    class func stored(_ base: SampleBase, fields: Fields) -> HKSample { HKHeartbeatSeriesSample(base, fields: fields) }

    /// The number of beats.
    open override var count: Int { fields.offsets?.count ?? 0 }

    /// The beats in order of time.
    final var heartbeats: [HKHeartbeatSeriesQueryDescriptor.Heartbeat] {
        let gaps = fields.gaps ?? []
        return (fields.offsets ?? []).enumerated().map { index, offset in
            .init(timeIntervalSinceStart: offset, precededByGap: index < gaps.count && gaps[index] != 0)
        }
    }

    /// The series in an archive; `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archived = ObjectCoding.fields(Fields.self, from: coder),
            archived.base.context.type == HKSeriesType.heartbeat()
        else { return nil }
        fields = archived.fields
        super.init(archived.base)
    }
}

/// A query that reads the beats of one series.
///
/// The handler is called once for each beat, in order of time, with the seconds since the start, whether
/// beats were missed before it, whether this is the last call, and an error if the series cannot be read.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private let heartbeatSeries: HKHeartbeatSeriesSample
    private let dataHandler: @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    /// Creates a query for the beats of a stored series.
    @preconcurrency
    public init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler:
            @escaping @Sendable (
                HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
            ) -> Void
    ) {
        self.heartbeatSeries = heartbeatSeries
        self.dataHandler = dataHandler
        super.init(
            objectType: HKSeriesType.heartbeat(), predicate: HKQuery.predicateForObject(with: heartbeatSeries.uuid))
    }

    override func makeWork() throws -> QueryWork {
        QueryWork(
            start: { run in
                let beats = try run.connection.reader().stored(self.heartbeatSeries).heartbeats
                for (index, beat) in beats.enumerated() {
                    guard run.isActive else { return }
                    run.deliver {
                        self.dataHandler(
                            self, beat.timeIntervalSinceStart, beat.precededByGap, index == beats.count - 1, nil)
                    }
                }
                if beats.isEmpty { run.deliver { self.dataHandler(self, 0, false, true, nil) } }
            },
            fail: { self.dataHandler(self, 0, false, true, HKError.make($0)) })
    }
}

/// A query that reads the beats of one series as an asynchronous sequence.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// The series whose beats are read.
    public var sample: HKHeartbeatSeriesSample

    /// Creates a query for the beats of a stored series.
    public init(_ sample: HKHeartbeatSeriesSample) {
        self.sample = sample
    }

    /// A heartbeat.
    public struct Heartbeat: Hashable, Sendable {
        /// Seconds since the start of the series.
        public let timeIntervalSinceStart: TimeInterval
        /// A Boolean value that indicates whether beats were missed before this one.
        public let precededByGap: Bool
    }

    /// The beats in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, sample: sample)
    }

    /// The beats in order of time. Iterating throws if the series is not stored.
    public struct Results: AsyncSequence, Sendable {
        public typealias Element = Heartbeat
        public typealias AsyncIterator = Iterator

        let connection: StoreConnection
        let sample: HKHeartbeatSeriesSample

        public func makeAsyncIterator() -> Iterator {
            let sample = sample
            return Iterator(reading: SeriesReading(connection) { try $0.stored(sample).heartbeats })
        }

        public struct Iterator: AsyncIteratorProtocol {
            public typealias Element = Results.Element

            var reading: SeriesReading<Heartbeat>

            /// The next beat; `nil` after the last.
            public mutating func next() async throws -> Results.Element? {
                try await reading.nextElement()
            }
        }
    }
}

extension HKSamplePredicate {
    /// A predicate for series of heartbeats.
    public static func heartbeatSeries(
        _ predicate: NSPredicate? = nil
    ) -> HKSamplePredicate<HKHeartbeatSeriesSample> {
        HKSamplePredicate<HKHeartbeatSeriesSample>(type: HKSeriesType.heartbeat(), predicate: predicate)
    }
}
