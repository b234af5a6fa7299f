public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// Gathers quantities of one type and saves them as one sample with several quantities.
///
/// Quantities may come in any order and from any thread; one with the start of another replaces it.
/// Failures are ``HKError/errorInvalidArgument`` with what is wrong, and what saving gives. Using a builder
/// that was discarded ends the process.
// Unchecked: what changes is in a Mutex, the rest is constant.
open class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
    /// The type of the quantities.
    public let quantityType: HKQuantityType
    /// When the series starts.
    public let startDate: Date
    /// The device that measured.
    public let device: HKDevice?

    private let connection: StoreConnection
    private let draft: Mutex<QuantitySeriesDraft>

    /// A builder of a series that starts at `startDate`.
    public init(
        healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
    ) {
        connection = healthStore.connection
        self.quantityType = quantityType
        self.startDate = startDate
        self.device = device
        draft = Mutex(
            QuantitySeriesDraft(type: quantityType, start: startDate.timeIntervalSinceReferenceDate))
        super.init()
    }

    /// Adds a quantity of a span of time.
    open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        try insert(quantity, from: dateInterval.start, to: dateInterval.end)
    }

    /// Adds a quantity of an instant.
    open func insert(_ quantity: HKQuantity, at date: Date) throws {
        try insert(quantity, from: date, to: date)
    }

    /// The older spelling of ``insert(_:at:)``.
    @available(*, deprecated, renamed: "insert(_:at:)")
    open func insertQuantity(_ quantity: HKQuantity, date: Date) throws {
        try insert(quantity, at: date)
    }

    /// Ends the series at its last quantity and saves it. See ``finishSeries(metadata:endDate:)``.
    open func finishSeries(metadata: [String: Any]?) async throws -> [HKQuantitySample] {
        try await finishSeries(metadata: metadata, endDate: nil)
    }

    /// Ends the series and saves it. The samples, here always one, stand for all quantities.
    ///
    /// - Parameter endDate: when the series ends, at or after the last quantity; `nil` for that one's end.
    open func finishSeries(metadata: [String: Any]?, endDate: Date?) async throws -> [HKQuantitySample] {
        let (sample, series) = try finished(metadata, endDate)
        let caller = connection.caller
        try await connection.perform(.writing) { try Self.save(sample, series, in: $0, as: caller) }
        return [sample]
    }

    /// Ends the series at its last quantity and saves it. See ``finishSeries(metadata:endDate:)``.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        finishSeries(metadata: metadata, endDate: nil, completion: completion)
    }

    /// Ends the series and saves it; the samples are `nil` with an error. See
    /// ``finishSeries(metadata:endDate:)``.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        let caller = connection.caller
        let made = Result { try finished(metadata, endDate) }
        connection.perform(.writing) { engine in
            let (sample, series) = try made.get()
            try Self.save(sample, series, in: engine, as: caller)
            return [sample]
        } completion: { result in
            switch result {
            case .success(let samples): completion(samples, nil)
            case .failure(let error): completion(nil, error)
            }
        }
    }

    /// Throws the quantities away.
    open func discard() {
        withDraft { $0.discard() }
    }

    // MARK: One at a time

    private func withDraft<Value>(_ body: (inout QuantitySeriesDraft) throws -> Value) rethrows -> Value {
        try draft.withLock { draft in
            guard draft.stage != .discarded else {
                ProgrammerError.raise("HKQuantitySeriesSampleBuilder was used after it was discarded")
            }
            return try body(&draft)
        }
    }

    private func insert(_ quantity: HKQuantity, from first: Date, to last: Date) throws {
        try withDraft { draft in
            try HKError.checked { () throws(ObjectRefusal) in
                try draft.insert(
                    quantity, from: first.timeIntervalSinceReferenceDate,
                    to: last.timeIntervalSinceReferenceDate)
            }
        }
    }

    /// Ends the series: its sample, with the source that will have written it, and its quantities.
    private func finished(
        _ metadata: [String: Any]?, _ endDate: Date?
    ) throws -> (HKQuantitySample, QuantitySeries) {
        let given = ProgrammerError.checkedMetadata(metadata)
        let finished = try withDraft { draft in
            try HKError.checked { () throws(ObjectRefusal) in
                try draft.finish(at: endDate?.timeIntervalSinceReferenceDate)
            }
        }
        let figures = SeriesFigures(finished.series, style: quantityType.aggregationStyle)?.entries ?? []
        let context = ObjectContext(
            type: quantityType, revision: HKSourceRevision(connection.caller.revision), device: device,
            metadata: Metadata(given.entries + figures))
        let sample =
            quantityType.aggregationStyle == .cumulative
            ? HKCumulativeQuantitySample(
                identity: UUID(), context: context, start: finished.start, end: finished.end,
                unit: finished.unit, value: finished.value)
            : HKDiscreteQuantitySample(
                identity: UUID(), context: context, start: finished.start, end: finished.end,
                unit: finished.unit, value: finished.value)
        return (sample, finished.series)
    }

    /// Saves a sample with its quantities; a single one is the sample itself.
    private static func save(
        _ sample: HKQuantitySample, _ series: QuantitySeries, in engine: HealthEngine, as caller: Caller
    ) throws {
        guard series.count > 1 else {
            _ = try engine.save(RecordEncoder.items([sample]), as: caller)
            return
        }
        var record = SampleRecord(sample)
        record.revision = nil
        try engine.save(record, series: series, as: caller)
    }
}
