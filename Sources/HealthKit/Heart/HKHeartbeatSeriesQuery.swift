public import Foundation

/// Reads the beats of one series.
///
/// The handler is called once for each beat, in order of time: with the seconds since the start, whether
/// beats were missed before, whether it is the last call, and an error where the series cannot be read.
// Unchecked: every stored property is constant.
open class HKHeartbeatSeriesQuery: HKQuery, @unchecked Sendable {
    private let heartbeatSeries: HKHeartbeatSeriesSample
    private let dataHandler: @Sendable (HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?) -> Void

    /// Reads the beats of a stored series.
    @preconcurrency
    public init(
        heartbeatSeries: HKHeartbeatSeriesSample,
        dataHandler: @escaping @Sendable (
            HKHeartbeatSeriesQuery, TimeInterval, Bool, Bool, (any Error)?
        ) -> Void
    ) {
        self.heartbeatSeries = heartbeatSeries
        self.dataHandler = dataHandler
        super.init(
            objectType: HKSeriesType.heartbeat(),
            predicate: HKQuery.predicateForObject(with: heartbeatSeries.uuid))
    }

    override func makeWork() throws -> QueryWork {
        QueryWork(
            start: { run in
                let beats = try run.connection.reader().stored(self.heartbeatSeries).heartbeats
                for (index, beat) in beats.enumerated() {
                    guard run.isActive else { return }
                    run.deliver {
                        self.dataHandler(
                            self, beat.timeIntervalSinceStart, beat.precededByGap,
                            index == beats.count - 1, nil)
                    }
                }
                if beats.isEmpty { run.deliver { self.dataHandler(self, 0, false, true, nil) } }
            },
            fail: { self.dataHandler(self, 0, false, true, HKError.make($0)) })
    }
}
