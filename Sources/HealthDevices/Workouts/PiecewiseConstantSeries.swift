import HealthEngine
import HealthModel

/// Quantities in the order of their start, each of which holds until the next one, and at most for a while after its
/// own end.
struct PiecewiseConstantSeries {
    let series: QuantitySeries
    /// The sums of the quantities before each.
    private let sums: [Double]
    /// The seconds after its end for which a quantity still holds.
    private let hold: Double

    var isEmpty: Bool { series.count == 0 }

    /// Creates quantities in ascending order from quantities in any order.
    init(_ quantities: [(start: Double, end: Double, value: Double)] = [], hold: Double = 0) {
        let sorted = quantities.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        series = QuantitySeries(starts: sorted.map(\.start), ends: sorted.map(\.end), values: sorted.map(\.value))
        sums = sorted.reduce(into: [0]) { $0.append($0[$0.count - 1] + $1.value) }
        self.hold = hold
    }

    /// The quantity that holds at an instant.
    ///
    /// - Parameter first: The instant that a quantity must reach: the end of the pause before.
    func value(at instant: Double, since first: Double = -.infinity) -> Double? {
        guard let row = last(until: instant), instant <= series.ends[row] + hold, series.ends[row] >= first
        else { return nil }
        return series.values[row]
    }

    /// The sum of the quantities before an instant, with the share of the one that lasts beyond it.
    func sum(until instant: Double) -> Double {
        guard let row = last(until: instant) else { return 0 }
        let length = series.ends[row] - series.starts[row]
        let share = length > 0 ? min(1, (instant - series.starts[row]) / length) : 1
        return sums[row] + series.values[row] * share
    }

    /// The index of the last quantity that begins at or before an instant.
    private func last(until instant: Double) -> Int? {
        let next = series.starts.upperBound(of: instant)
        return next > 0 ? next - 1 : nil
    }
}
