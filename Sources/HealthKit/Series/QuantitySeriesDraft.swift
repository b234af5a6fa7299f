import Foundation
import HealthEngine
import HealthModel

/// What a builder of a quantity series has gathered, and what it may do next.
struct QuantitySeriesDraft {
    enum Stage {
        case open
        case finished
        case discarded
    }

    let type: HKQuantityType
    let start: Double
    private(set) var stage = Stage.open
    /// The unit of the first quantity; the others are told in it.
    private var unit: HKUnit?
    /// By start: a later quantity of the same start replaces an earlier one.
    private var quantities: [Double: (end: Double, value: Double)] = [:]

    init(type: HKQuantityType, start: Double) {
        self.type = type
        self.start = start
    }

    /// Takes a quantity, in any order.
    ///
    /// - Throws: for a unit the type does not have, for one before the series, and after the end.
    mutating func insert(_ quantity: HKQuantity, from first: Double, to last: Double) throws(ObjectRefusal) {
        try requireOpen()
        guard type.is(compatibleWith: quantity.unit) else {
            throw ObjectRefusal(
                reason: "\(type.identifier) does not take quantities in \(quantity.unit.unitString)")
        }
        guard first.isFinite, last.isFinite, first >= start else {
            throw ObjectRefusal(reason: "A quantity must not begin before the startDate of its series")
        }
        guard first <= last else {
            throw ObjectRefusal(reason: "A quantity must not end before it begins")
        }
        let unit = unit ?? quantity.unit
        guard let value = try? quantity.validatedValue(for: unit) else {
            throw ObjectRefusal(reason: "The quantities of a series must be compatible")
        }
        self.unit = unit
        quantities[first] = (last, value)
    }

    /// Ends the series: the sample's value, unit and dates, and the quantities in order of start.
    ///
    /// - Throws: without a quantity, for an end before the start or before a quantity's end, and after the end.
    mutating func finish(at end: Double?) throws(ObjectRefusal) -> Finished {
        try requireOpen()
        guard let unit, !quantities.isEmpty else {
            throw ObjectRefusal(reason: "A quantity series requires a quantity")
        }
        let sorted = quantities.sorted { $0.key < $1.key }
        let series = QuantitySeries(
            starts: sorted.map(\.key), ends: sorted.map(\.value.end), values: sorted.map(\.value.value))
        let lastEnd = series.ends.reduce(start) { max($0, $1) }
        let end = end ?? lastEnd
        guard end >= start else {
            throw ObjectRefusal(reason: "The endDate of a quantity series must be at or after its startDate")
        }
        guard end >= lastEnd else {
            throw ObjectRefusal(reason: "The endDate of a quantity series must be at or after its quantities' ends")
        }
        stage = .finished
        return Finished(
            unit: unit, value: Self.whole(series.values, type.aggregationStyle), start: start, end: end,
            series: series)
    }

    /// Throws the quantities away.
    mutating func discard() {
        stage = .discarded
        quantities = [:]
    }

    private func requireOpen() throws(ObjectRefusal) {
        guard stage == .open else { throw ObjectRefusal(reason: "The quantity series is finished") }
    }

    /// The sum of quantities that add up; the mean of others, of sound levels that of their power.
    private static func whole(_ values: [Double], _ style: HKQuantityAggregationStyle) -> Double {
        let count = Double(values.count)
        switch style {
        case .cumulative: return values.reduce(0, +)
        case .discreteEquivalentContinuousLevel:
            return 10 * log10(values.reduce(0) { $0 + pow(10, $1 / 10) } / count)
        default: return values.reduce(0, +) / count
        }
    }

    /// A series that takes nothing more.
    struct Finished {
        let unit: HKUnit
        let value: Double
        let start: Double
        let end: Double
        let series: QuantitySeries
    }
}
