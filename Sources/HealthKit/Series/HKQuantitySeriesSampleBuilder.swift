public import Foundation
import HealthEngine
import HealthModel
import Synchronization

/// Builds a sample with several quantities of one type.
///
/// Quantities may be inserted in any order and from any thread; a quantity replaces an earlier one with the same
/// start. Invalid calls fail with ``HKError/errorInvalidArgument``, saving also with the errors of the store.
/// Using a discarded builder ends the process.
// Unchecked: all mutable state is in a Mutex, everything else is constant.
open class HKQuantitySeriesSampleBuilder: NSObject, _CVarArgObject, @unchecked Sendable {
    /// The type of the quantities.
    open var quantityType: HKQuantityType { storedQuantityType }
    /// The start of the series.
    open var startDate: Date { storedStartDate }
    /// The device that records the series.
    open var device: HKDevice? { storedDevice }

    private let storedQuantityType: HKQuantityType
    private let storedStartDate: Date
    private let storedDevice: HKDevice?

    private let connection: StoreConnection
    private let state = Mutex(SeriesBuilderState(Quantities()))

    /// The inserted quantities. One replaces an earlier one with the same start.
    fileprivate struct Quantities {
        /// The unit of the first quantity, to which the others are converted.
        var unit: HKUnit?
        var byStart: [Double: (end: Double, value: Double)] = [:]
    }

    /// Creates a builder of a series.
    public init(
        healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
    ) {
        connection = healthStore.connection
        storedQuantityType = quantityType
        storedStartDate = startDate
        storedDevice = device
    }

    /// A Boolean value that indicates whether calls may be overridden; see ``HKHealthStore``.
    private var isSubclass: Bool { type(of: self) != HKQuantitySeriesSampleBuilder.self }

    /// Adds a quantity over a period.
    open func insert(_ quantity: HKQuantity, for dateInterval: DateInterval) throws {
        try insert(quantity, from: dateInterval.start, to: dateInterval.end)
    }

    /// Adds a quantity at an instant.
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
        if isSubclass { return try await obtaining { finishSeries(metadata: metadata, completion: $0) } }
        return try await finishSeries(metadata: metadata, endDate: nil)
    }

    /// Ends the series and saves it. Returns its samples, here always one for all quantities.
    ///
    /// - Parameter endDate: The end of the series, at or after that of the last quantity; `nil` for the latter.
    open func finishSeries(metadata: [String: Any]?, endDate: Date?) async throws -> [HKQuantitySample] {
        if isSubclass {
            return try await obtaining { finishSeries(metadata: metadata, endDate: endDate, completion: $0) }
        }
        let (sample, series) = try finished(metadata, endDate)
        try await connection.perform(connection.saving(sample, series))
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

    /// Ends the series and saves it; the samples are `nil` if it fails. See
    /// ``finishSeries(metadata:endDate:)``.
    @preconcurrency
    open func finishSeries(
        metadata: [String: Any]?, endDate: Date?,
        completion: @escaping @Sendable ([HKQuantitySample]?, (any Error)?) -> Void
    ) {
        do {
            let (sample, series) = try finished(metadata, endDate)
            connection.perform(connection.saving(sample, series)) { result in
                completion(result.isSuccess ? [sample] : nil, result.error)
            }
        } catch {
            connection.perform(StoreWork<Void>(.writing) { throw error }) { completion(nil, $0.error) }
        }
    }

    /// Discards the quantities.
    open func discard() {
        withState { $0.discard() }
    }

    // MARK: Quantities

    private typealias State = SeriesBuilderState<Quantities>

    private func withState<Value>(_ body: (inout State) throws -> Value) rethrows -> Value {
        try state.withLock { state in
            guard state.phase != .discarded else {
                ProgrammerError.raise("HKQuantitySeriesSampleBuilder was used after it was discarded")
            }
            return try body(&state)
        }
    }

    private func insert(_ quantity: HKQuantity, from first: Date, to last: Date) throws {
        let (first, last) = (first.timeIntervalSinceReferenceDate, last.timeIntervalSinceReferenceDate)
        try withState { state in
            try state.requireOpen()
            guard quantityType.is(compatibleWith: quantity.unit) else {
                throw state.invalid(
                    "The unit \(quantity.unit.unitString) is not compatible with \(quantityType.identifier)")
            }
            guard first.isFinite, last.isFinite, first >= startDate.timeIntervalSinceReferenceDate else {
                throw state.invalid("A quantity must not begin before the startDate of its series")
            }
            let unit = state.elements.unit ?? quantity.unit
            guard let value = try? quantity.validatedValue(for: unit) else {
                throw state.invalid("The quantities of a series must be compatible")
            }
            state.elements.unit = unit
            state.elements.byStart[first] = (last, value)
        }
    }

    /// Ends the series and returns its sample and quantities.
    private func finished(_ metadata: [String: Any]?, _ endDate: Date?) throws -> (HKQuantitySample, QuantitySeries) {
        let given = ProgrammerError.checkedMetadata(metadata)
        let start = startDate.timeIntervalSinceReferenceDate
        let (series, unit, end) = try withState { state in
            try state.requireOpen()
            guard let unit = state.elements.unit else { throw state.invalid("A quantity series requires a quantity") }
            let sorted = state.elements.byStart.sorted { $0.key < $1.key }
            let series = QuantitySeries(
                starts: sorted.map(\.key), ends: sorted.map(\.value.end), values: sorted.map(\.value.value))
            let lastEnd = series.ends.reduce(start) { max($0, $1) }
            let end = endDate?.timeIntervalSinceReferenceDate ?? lastEnd
            guard end >= start else {
                throw state.invalid("The endDate of a quantity series must be at or after its startDate")
            }
            guard end >= lastEnd else {
                throw state.invalid("The endDate of a quantity series must be at or after its quantities' ends")
            }
            try state.beginFinishing()
            return (series, unit, end)
        }
        let style = quantityType.aggregationStyle
        let base = SampleBase.built(
            by: connection.caller.revision, type: quantityType, start: start, end: end, device: device,
            metadata: Metadata(given.entries + (SeriesFigures(series, style: style)?.entries ?? [])))
        let sample = HKQuantitySample.make(
            base, isCumulative: style == .cumulative, unit: unit, value: Self.whole(series.values, style))
        return (sample, series)
    }

    /// Returns the value of the sample: the sum of cumulative quantities, the mean of discrete ones, and for sound
    /// levels the mean of their power.
    private static func whole(_ values: [Double], _ style: HKQuantityAggregationStyle) -> Double {
        let count = Double(values.count)
        switch style {
        case .cumulative: return values.reduce(0, +)
        case .discreteEquivalentContinuousLevel:
            return 10 * log10(values.reduce(0) { $0 + pow(10, $1 / 10) } / count)
        default: return values.reduce(0, +) / count
        }
    }
}

extension StoreConnection {
    /// Saves a sample with its quantities; a sample with a single quantity is saved without a series.
    func saving(_ sample: HKQuantitySample, _ series: QuantitySeries) -> StoreWork<Void> {
        guard series.count > 1 else { return saving([sample]) }
        let caller = caller
        return StoreWork(
            .writing,
            engine: { engine in
                try engine.save(RecordEncoder.record(sample, includingRevision: false), series: series, as: caller)
            })
    }
}
