public import Foundation
import HealthModel
import Synchronization

/// A builder that collects single heartbeats and saves them as one ``HKHeartbeatSeriesSample``.
///
/// A builder returned by ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
///
/// Add beats in any order and from any thread. Invalid beats and calls in the wrong state fail with
/// ``HKError/errorInvalidArgument``; finishing also fails with the errors of saving.
// Unchecked: mutable state is in a Mutex, the rest is constant.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    private let startDate: Date
    private let state = Mutex(SeriesBuilderState<[Beat]>([]))

    fileprivate struct Beat {
        /// Seconds since the start of the series.
        var offset: Double
        var hasGap: Bool
    }

    /// The maximum number of beats in a series. The original's number is not published.
    open class var maximumCount: Int { 100_000 }

    /// Creates a builder of a series that starts at `startDate`.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        self.startDate = startDate
        super.init(healthStore.connection, device: device, isAttached: false)
    }

    init(_ connection: StoreConnection, device: HKDevice?, start startDate: Date, isAttached: Bool) {
        self.startDate = startDate
        super.init(connection, device: device, isAttached: isAttached)
    }

    /// A Boolean value that indicates whether calls may be overridden; see ``HKHealthStore``.
    private var isSubclass: Bool { type(of: self) != HKHeartbeatSeriesBuilder.self }

    // MARK: Awaited

    /// Adds a beat at a number of seconds since the start. A gap means that beats before it were missed.
    open func addHeartbeat(at timeIntervalSinceStart: TimeInterval, precededByGap: Bool) async throws {
        if isSubclass {
            return try await succeeding {
                addHeartbeatWithTimeInterval(
                    sinceSeriesStartDate: timeIntervalSinceStart, precededByGap: precededByGap, completion: $0)
            }
        }
        try add(timeIntervalSinceStart, precededByGap)
    }

    /// Adds metadata to the series. A new value replaces an earlier one for the same key. Values that are not
    /// allowed end the process.
    open func addMetadata(_ metadata: [String: Any]) async throws {
        if isSubclass { return try await succeeding { addMetadata(metadata, completion: $0) } }
        try add(ProgrammerError.checkedMetadata(metadata))
    }

    /// Ends the series and saves it.
    open func finishSeries() async throws -> HKHeartbeatSeriesSample {
        if isSubclass { return try await obtaining { finishSeries(completion: $0) } }
        let sample = try finishedAlone()
        try await connection.perform(connection.saving([sample]))
        return sample
    }

    // MARK: With handlers

    /// Adds a beat at a number of seconds since the start. A gap means that beats before it were missed.
    @preconcurrency
    open func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        report(Result { try add(timeIntervalSinceStart, precededByGap) }, completion)
    }

    /// Adds metadata to the series. See ``addMetadata(_:)``.
    @preconcurrency
    open func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let checked = ProgrammerError.checkedMetadata(metadata)
        report(Result { try add(checked) }, completion)
    }

    /// Ends the series and saves it; the sample is `nil` with an error.
    @preconcurrency
    open func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        do {
            let sample = try finishedAlone()
            connection.perform(connection.saving([sample])) { completion($0.isSuccess ? sample : nil, $0.error) }
        } catch {
            report(.failure(error)) { _, error in completion(nil, error) }
        }
    }

    /// Discards the beats. Every later call fails.
    open override func discard() {
        state.withLock { $0.discard() }
    }

    // MARK: For a workout builder

    /// The series for the workout builder to save; `nil` if there is nothing to save.
    func finishedPart() throws -> HKHeartbeatSeriesSample? {
        state.withLock { $0.phase == .open && !$0.elements.isEmpty } ? try finished() : nil
    }

    /// Completes ``finishedPart()``: a series that was not stored may be finished again.
    func conclude(isStored: Bool) {
        state.withLock { $0.conclude(isStored: isStored) }
    }

    private func finishedAlone() throws -> HKHeartbeatSeriesSample {
        try requireUnattached()
        return try finished()
    }

    // MARK: One at a time

    private func add(_ offset: TimeInterval, _ hasGap: Bool) throws {
        try state.withLock { try $0.add(Beat(offset: offset, hasGap: hasGap), limit: Self.maximumCount) }
    }

    private func add(_ metadata: Metadata) throws {
        try state.withLock { try $0.merge(metadata) }
    }

    /// Ends the series and returns its sample, with the beats in order of time.
    private func finished() throws -> HKHeartbeatSeriesSample {
        let (beats, metadata) = try state.withLock { state in
            try state.requireOpen()
            guard !state.elements.isEmpty else { throw state.invalid("A heartbeat series requires a heartbeat") }
            try state.beginFinishing()
            return (state.elements.sorted { $0.offset < $1.offset }, state.metadata)
        }
        let start = startDate.timeIntervalSinceReferenceDate
        let last = beats[beats.count - 1].offset
        return HKHeartbeatSeriesSample(
            base(HKSeriesType.heartbeat(), from: start, to: start + last, metadata: metadata),
            fields: HKHeartbeatSeriesSample.Fields(offsets: beats.map(\.offset), gaps: beats.map { $0.hasGap ? 1 : 0 }))
    }

    private func report(
        _ result: Result<Void, any Error>, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform(StoreWork(.reading) { try result.get() }) { completion($0.isSuccess, $0.error) }
    }
}

extension SeriesBuilderState<[HKHeartbeatSeriesBuilder.Beat]> {
    /// Adds a beat, in any order.
    fileprivate mutating func add(_ beat: HKHeartbeatSeriesBuilder.Beat, limit: Int) throws(HKError) {
        try requireOpen()
        guard beat.offset > 0, beat.offset.isFinite else {
            throw invalid("The time of a heartbeat since the start of its series must be positive")
        }
        guard elements.count < limit else { throw invalid("A heartbeat series has at most \(limit) heartbeats") }
        elements.append(beat)
    }
}
