/// The correlation of two series.
package enum Correlation {
    /// Pearson's coefficient, from -1 to 1; `nil` for fewer than three pairs, and where all values of a series are equal.
    package static func coefficient(_ pairs: [(Double, Double)]) -> Double? {
        let count = Double(pairs.count)
        guard count > 2, let first = Dispersion.deviation(pairs.map(\.0)),
            let second = Dispersion.deviation(pairs.map(\.1)),
            first * second > 0
        else { return nil }
        let (x, y) = (pairs.reduce(0) { $0 + $1.0 } / count, pairs.reduce(0) { $0 + $1.1 } / count)
        let covariance = pairs.reduce(0) { $0 + ($1.0 - x) * ($1.1 - y) } / (count - 1)
        return max(-1, min(1, covariance / (first * second)))
    }
}
