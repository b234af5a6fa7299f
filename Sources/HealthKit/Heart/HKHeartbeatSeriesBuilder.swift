public import Foundation
import Synchronization

/// A builder that collects single heartbeats and saves them as one ``HKHeartbeatSeriesSample``.
///
/// A builder returned by ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
///
/// Add beats in any order and from any thread. Invalid beats and calls in the wrong state fail with
/// ``HKError/errorInvalidArgument``; finishing also fails with the errors of saving.
// Unchecked: mutable state is in a Mutex, the rest is constant.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct State {
        var draft: HeartbeatDraft
        var metadata = MetadataDictionary.empty
    }

    private let connection: StoreConnection
    private let device: HKDevice?
    private let startDate: Date
    /// Whether a workout builder finishes the series.
    private let isAttached: Bool
    private let state: Mutex<State>

    /// The maximum number of beats in a series. The original's number is not published.
    open class var maximumCount: Int { 100_000 }

    /// Creates a builder of a series that starts at `startDate`.
    public init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        connection = healthStore.connection
        self.device = device
        self.startDate = startDate
        isAttached = false
        state = Mutex(State(draft: HeartbeatDraft(limit: Self.maximumCount)))
        super.init()
    }

    init(_ connection: StoreConnection, device: HKDevice?, start startDate: Date, isAttached: Bool) {
        self.connection = connection
        self.device = device
        self.startDate = startDate
        self.isAttached = isAttached
        state = Mutex(State(draft: HeartbeatDraft(limit: Self.maximumCount)))
        super.init()
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
        try add(MetadataDictionary.checked(metadata))
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
        let checked = MetadataDictionary.checked(metadata)
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
        state.withLock { $0.draft.discard() }
    }

    // MARK: For a workout builder

    /// The series for the workout builder to save; `nil` if there is nothing to save.
    func finishedPart() throws -> HKHeartbeatSeriesSample? {
        state.withLock { $0.draft.hasBeats } ? try finished() : nil
    }

    /// Completes ``finishedPart()``: a series that was not stored may be finished again.
    func conclude(isStored: Bool) {
        if !isStored { state.withLock { $0.draft.reopen() } }
    }

    private func finishedAlone() throws -> HKHeartbeatSeriesSample {
        guard !isAttached else {
            throw HKError.make(.errorInvalidArgument, "This series is finished by its workout builder.")
        }
        return try finished()
    }

    // MARK: One at a time

    private func add(_ offset: TimeInterval, _ hasGap: Bool) throws {
        try state.withLock { state in
            try HKError.checked { () throws(InvalidObjectError) in
                try state.draft.add(offset: offset, hasGap: hasGap)
            }
        }
    }

    private func add(_ metadata: MetadataDictionary) throws {
        try state.withLock { state in
            try HKError.checked { () throws(InvalidObjectError) in try state.draft.requireOpen() }
            state.metadata = state.metadata.merging(metadata)
        }
    }

    /// Ends the series and returns its sample.
    private func finished() throws -> HKHeartbeatSeriesSample {
        let (series, metadata) = try state.withLock { state in
            (try HKError.checked { () throws(InvalidObjectError) in try state.draft.finish() }, state.metadata)
        }
        let start = startDate.timeIntervalSinceReferenceDate
        let base = SampleBase.built(
            by: connection, type: HKSeriesType.heartbeat(), start: start, end: start + series.lastOffset,
            device: device, metadata: metadata)
        return HKHeartbeatSeriesSample(base, fields: series.fields)
    }

    private func report(
        _ result: Result<Void, any Error>, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform { _ in
            try result.get()
        } completion: {
            completion($0.isSuccess, $0.error)
        }
    }
}

/// The beats a builder has collected, and the calls it still allows.
struct HeartbeatDraft {
    private enum Stage {
        case open
        case finished
        case discarded
    }

    private var stage = Stage.open
    private var beats: [(offset: Double, hasGap: Bool)] = []
    /// The maximum number of beats.
    let limit: Int

    init(limit: Int) {
        self.limit = limit
    }

    /// Adds a beat, in any order.
    ///
    /// - Throws: for an offset that is not positive, beyond the limit, and after the end.
    mutating func add(offset: Double, hasGap: Bool) throws(InvalidObjectError) {
        try requireOpen()
        guard offset > 0, offset.isFinite else {
            throw InvalidObjectError(reason: "The time of a heartbeat since the start of its series must be positive")
        }
        guard beats.count < limit else {
            throw InvalidObjectError(reason: "A heartbeat series has at most \(limit) heartbeats")
        }
        beats.append((offset, hasGap))
    }

    /// Checks that the series is still open.
    func requireOpen() throws(InvalidObjectError) {
        switch stage {
        case .open: return
        case .finished: throw InvalidObjectError(reason: "The heartbeat series is finished")
        case .discarded: throw InvalidObjectError(reason: "The heartbeat series was discarded")
        }
    }

    /// Ends the series and returns the beats in order of time.
    ///
    /// - Throws: without a beat, and after the end.
    mutating func finish() throws(InvalidObjectError) -> (fields: HKHeartbeatSeriesSample.Fields, lastOffset: Double) {
        try requireOpen()
        guard !beats.isEmpty else {
            throw InvalidObjectError(reason: "A heartbeat series requires a heartbeat")
        }
        stage = .finished
        beats.sort { $0.offset < $1.offset }
        let fields = HKHeartbeatSeriesSample.Fields(
            offsets: beats.map(\.offset), gaps: beats.map { $0.hasGap ? 1 : 0 })
        return (fields, beats[beats.count - 1].offset)
    }

    /// Whether there are beats to finish.
    var hasBeats: Bool { stage == .open && !beats.isEmpty }

    /// Reverts ``finish()``.
    mutating func reopen() {
        if stage == .finished { stage = .open }
    }

    /// Discards the beats.
    mutating func discard() {
        stage = .discarded
        beats = []
    }
}
