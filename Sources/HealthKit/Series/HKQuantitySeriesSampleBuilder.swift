public import Foundation
import Synchronization

/// Builds a sample with several quantities of one type.
///
/// Quantities may be inserted in any order and from any thread; a quantity replaces an earlier one with the same
/// start. Invalid calls fail with ``HKError/errorInvalidArgument``, saving also with the errors of the store.
/// Using a discarded builder ends the process.
// Unchecked: all mutable state is in a Mutex, everything else is constant.
open class HKQuantitySeriesSampleBuilder: NSObject, @unchecked Sendable {
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
    private let draft: Mutex<QuantitySeriesDraft>

    /// Creates a builder of a series.
    public init(
        healthStore: HKHealthStore, quantityType: HKQuantityType, startDate: Date, device: HKDevice?
    ) {
        connection = healthStore.connection
        storedQuantityType = quantityType
        storedStartDate = startDate
        storedDevice = device
        draft = Mutex(
            QuantitySeriesDraft(type: quantityType, start: startDate.timeIntervalSinceReferenceDate))
        super.init()
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
        withDraft { $0.discard() }
    }

    // MARK: Draft

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
            try HKError.checked { () throws(InvalidObjectError) in
                try draft.insert(
                    quantity, from: first.timeIntervalSinceReferenceDate,
                    to: last.timeIntervalSinceReferenceDate)
            }
        }
    }

    /// Ends the series and returns its sample and quantities.
    private func finished(
        _ metadata: [String: Any]?, _ endDate: Date?
    ) throws -> (HKQuantitySample, QuantitySeriesFields) {
        let given = MetadataDictionary.checked(metadata)
        let finished = try withDraft { draft in
            try HKError.checked { () throws(InvalidObjectError) in
                try draft.finish(at: endDate?.timeIntervalSinceReferenceDate)
            }
        }
        let figures = SeriesFigures(finished.series, style: quantityType.aggregationStyle)
        let base = SampleBase.built(
            by: connection, type: quantityType, start: finished.start, end: finished.end, device: device,
            metadata: given.adding(figures))
        let sample =
            quantityType.aggregationStyle == .cumulative
            ? HKCumulativeQuantitySample(
                identity: base.identity, context: base.context, start: base.start, end: base.end,
                unit: finished.unit, value: finished.value)
            : HKDiscreteQuantitySample(
                identity: base.identity, context: base.context, start: base.start, end: base.end,
                unit: finished.unit, value: finished.value)
        return (sample, finished.series)
    }
}

/// The quantities of a series, in columns of equal length.
struct QuantitySeriesFields: Sendable {
    /// Seconds since 2001-01-01 00:00:00 UTC, ascending.
    var starts: [Double] = []
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var ends: [Double] = []
    /// In the unit of the sample.
    var values: [Double] = []

    var count: Int { starts.count }
}

/// The quantities a builder has collected, and the calls it allows.
struct QuantitySeriesDraft {
    enum Stage {
        case open
        case finished
        case discarded
    }

    let type: HKQuantityType
    let start: Double
    private(set) var stage = Stage.open
    /// The unit of the first quantity, to which the others are converted.
    private var unit: HKUnit?
    /// By start, because a quantity replaces an earlier one with the same start.
    private var quantities: [Double: (end: Double, value: Double)] = [:]

    init(type: HKQuantityType, start: Double) {
        self.type = type
        self.start = start
    }

    /// Adds a quantity, in any order.
    ///
    /// - Throws: an error for an incompatible unit, for a quantity before the series, and after the end.
    mutating func insert(_ quantity: HKQuantity, from first: Double, to last: Double) throws(InvalidObjectError) {
        try requireOpen()
        guard type.is(compatibleWith: quantity.unit) else {
            throw InvalidObjectError(
                reason: "The unit \(quantity.unit.unitString) is not compatible with \(type.identifier)")
        }
        guard first.isFinite, last.isFinite, first >= start else {
            throw InvalidObjectError(reason: "A quantity must not begin before the startDate of its series")
        }
        guard first <= last else {
            throw InvalidObjectError(reason: "A quantity must not end before it begins")
        }
        let unit = unit ?? quantity.unit
        guard let value = try? quantity.validatedValue(for: unit) else {
            throw InvalidObjectError(reason: "The quantities of a series must be compatible")
        }
        self.unit = unit
        quantities[first] = (last, value)
    }

    /// Ends the series.
    ///
    /// - Throws: an error without a quantity, for an end before the start or before a quantity's end, and after
    ///   the end.
    mutating func finish(at end: Double?) throws(InvalidObjectError) -> Finished {
        try requireOpen()
        guard let unit, !quantities.isEmpty else {
            throw InvalidObjectError(reason: "A quantity series requires a quantity")
        }
        let sorted = quantities.sorted { $0.key < $1.key }
        let series = QuantitySeriesFields(
            starts: sorted.map(\.key), ends: sorted.map(\.value.end), values: sorted.map(\.value.value))
        let lastEnd = series.ends.reduce(start) { max($0, $1) }
        let end = end ?? lastEnd
        guard end >= start else {
            throw InvalidObjectError(reason: "The endDate of a quantity series must be at or after its startDate")
        }
        guard end >= lastEnd else {
            throw InvalidObjectError(
                reason: "The endDate of a quantity series must be at or after its quantities' ends")
        }
        stage = .finished
        return Finished(
            unit: unit, value: Self.whole(series.values, type.aggregationStyle), start: start, end: end,
            series: series)
    }

    /// Discards the quantities.
    mutating func discard() {
        stage = .discarded
        quantities = [:]
    }

    private func requireOpen() throws(InvalidObjectError) {
        guard stage == .open else { throw InvalidObjectError(reason: "The quantity series is finished") }
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

    /// A finished series: the sample's value, unit and dates, and the quantities in order of start.
    struct Finished {
        let unit: HKUnit
        let value: Double
        let start: Double
        let end: Double
        let series: QuantitySeriesFields
    }
}
