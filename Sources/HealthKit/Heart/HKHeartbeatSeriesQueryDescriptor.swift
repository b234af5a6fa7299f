public import Foundation

/// Reads the beats of one series, for as long as they are iterated.
public struct HKHeartbeatSeriesQueryDescriptor: HKAsyncSequenceQuery, Sendable {
    public typealias Sequence = Results

    /// Whose beats are read.
    public var sample: HKHeartbeatSeriesSample

    /// Asks for the beats of a stored series.
    public init(_ sample: HKHeartbeatSeriesSample) {
        self.sample = sample
    }

    /// One beat.
    public struct Heartbeat: Hashable, Sendable {
        /// Seconds since the start of the series.
        public let timeIntervalSinceStart: TimeInterval
        /// Whether beats were missed before it.
        public let precededByGap: Bool

        init(timeIntervalSinceStart: TimeInterval, precededByGap: Bool) {
            self.timeIntervalSinceStart = timeIntervalSinceStart
            self.precededByGap = precededByGap
        }

        public static func == (a: Heartbeat, b: Heartbeat) -> Bool {
            a.timeIntervalSinceStart == b.timeIntervalSinceStart && a.precededByGap == b.precededByGap
        }

        public func hash(into hasher: inout Hasher) {
            hasher.combine(timeIntervalSinceStart)
            hasher.combine(precededByGap)
        }

        public var hashValue: Int {
            var hasher = Hasher()
            hash(into: &hasher)
            return hasher.finalize()
        }
    }

    /// The beats in order of time.
    public func results(for healthStore: HKHealthStore) -> Results {
        Results(connection: healthStore.connection, sample: sample)
    }

    /// Beats in order of time. Iterating throws where the series is not stored.
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
