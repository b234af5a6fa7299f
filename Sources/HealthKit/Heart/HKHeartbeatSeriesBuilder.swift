public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// Gathers single heartbeats and saves them as one ``HKHeartbeatSeriesSample``.
///
/// A builder that came from ``HKWorkoutBuilder/seriesBuilder(for:)`` is finished by its workout builder.
///
/// Beats may come in any order and from any thread. Failures are ``HKError/errorInvalidArgument`` with what
/// is wrong, and what saving gives.
// Unchecked: what changes is in a Mutex, the rest is constant.
open class HKHeartbeatSeriesBuilder: HKSeriesBuilder, @unchecked Sendable {
    private struct State {
        var draft: HeartbeatDraft
        var metadata: [Metadata.Entry] = []
    }

    private let connection: StoreConnection
    private let device: HKDevice?
    private let startDate: Date
    /// Whether a workout builder will finish the series.
    private let isAttached: Bool
    private let state: Mutex<State>

    /// How many beats a series has at most. The original's number is not published.
    open class var maximumCount: Int { 100_000 }

    /// A builder of a series that starts at `startDate`.
    public convenience init(healthStore: HKHealthStore, device: HKDevice?, start startDate: Date) {
        self.init(healthStore.connection, device: device, start: startDate, isAttached: false)
    }

    init(_ connection: StoreConnection, device: HKDevice?, start startDate: Date, isAttached: Bool) {
        self.connection = connection
        self.device = device
        self.startDate = startDate
        self.isAttached = isAttached
        state = Mutex(State(draft: HeartbeatDraft(limit: Self.maximumCount)))
        super.init()
    }

    // MARK: Awaited

    /// Adds a beat, by its seconds since the start. A gap says that beats before it were missed.
    public func addHeartbeat(at timeIntervalSinceStart: TimeInterval, precededByGap: Bool) async throws {
        try add(timeIntervalSinceStart, precededByGap)
    }

    /// Adds metadata of the series; a key that is there already gets the new value. Values that are not
    /// allowed end the process.
    public func addMetadata(_ metadata: [String: Any]) async throws {
        try add(ProgrammerError.checkedMetadata(metadata))
    }

    /// Ends the series and saves it.
    public func finishSeries() async throws -> HKHeartbeatSeriesSample {
        let sample = try finishedAlone()
        let caller = connection.caller
        try await connection.perform(.writing) { _ = try $0.save(RecordEncoder.items([sample]), as: caller) }
        return sample
    }

    // MARK: With handlers

    /// Adds a beat, by its seconds since the start. A gap says that beats before it were missed.
    @preconcurrency
    public func addHeartbeatWithTimeInterval(
        sinceSeriesStartDate timeIntervalSinceStart: TimeInterval, precededByGap: Bool,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        report(Result { try add(timeIntervalSinceStart, precededByGap) }, completion)
    }

    /// Adds metadata of the series. See ``addMetadata(_:)``.
    @preconcurrency
    public func addMetadata(
        _ metadata: [String: Any], completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let record = ProgrammerError.checkedMetadata(metadata)
        report(Result { try add(record) }, completion)
    }

    /// Ends the series and saves it; the sample is `nil` with an error.
    @preconcurrency
    public func finishSeries(
        completion: @escaping @Sendable (HKHeartbeatSeriesSample?, (any Error)?) -> Void
    ) {
        let caller = connection.caller
        let made = Result { try finishedAlone() }
        connection.perform(.writing) { engine in
            let sample = try made.get()
            _ = try engine.save(RecordEncoder.items([sample]), as: caller)
            return sample
        } completion: { result in
            switch result {
            case .success(let sample): completion(sample, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Throws the beats away. Whatever is called afterwards fails.
    open override func discard() {
        state.withLock { $0.draft.discard() }
    }

    // MARK: For a workout builder

    /// The series as the workout builder saves it; `nil` when there is nothing to save.
    func finishedPart() throws -> ObjectRecord? {
        guard state.withLock({ $0.draft.hasBeats }), case .object(let record) = RecordEncoder.item(try finished())
        else { return nil }
        return record
    }

    /// Ends what ``finishedPart()`` began: a series that was not stored may be finished again.
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
            try HKError.checked { () throws(ObjectRefusal) in
                try state.draft.add(offset: offset, hasGap: hasGap)
            }
        }
    }

    private func add(_ metadata: Metadata) throws {
        try state.withLock { state in
            try HKError.checked { () throws(ObjectRefusal) in try state.draft.requireOpen() }
            let keys = Set(metadata.entries.map(\.key))
            state.metadata.removeAll { keys.contains($0.key) }
            state.metadata += metadata.entries
        }
    }

    /// Ends the series: its sample, with the source that will have written it.
    private func finished() throws -> HKHeartbeatSeriesSample {
        let (series, metadata) = try state.withLock { state in
            (try HKError.checked { () throws(ObjectRefusal) in try state.draft.finish() }, state.metadata)
        }
        let start = startDate.timeIntervalSinceReferenceDate
        return HKHeartbeatSeriesSample(
            identity: UUID(),
            context: ObjectContext(
                type: HKSeriesType.heartbeat(), revision: HKSourceRevision(connection.caller.revision),
                device: device, metadata: Metadata(metadata)),
            start: start, end: start + series.lastOffset, document: series.document)
    }

    private func report(
        _ result: Result<Void, any Error>, _ completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        connection.perform { _ in try result.get() } completion: { completion($0.isSuccess, $0.error) }
    }
}
