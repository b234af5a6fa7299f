public import Foundation
import HealthModel

/// The figures of people in one interval.
public struct CohortRow: Hashable, Sendable {
    /// The start of the interval.
    public let start: Date
    /// The end of the interval.
    public let end: Date
    /// The number of people with a figure.
    public let people: Int
    /// The sum of the people's figures.
    public let sum: Double
    /// The mean of the people's figures.
    public let mean: Double
    /// The standard deviation of the people's figures, of a sample: divided by their number less one.
    public let standardDeviation: Double
    /// The quantiles that the request asks for, in its order; `nil` where there are too few people for one.
    public let quantiles: [Double?]
}

/// The answer to a request about a cohort.
public struct CohortAnswer: Hashable, Sendable {
    /// The intervals with enough people, in order.
    public let rows: [CohortRow]
    /// The number of intervals in which there are people, but fewer than the minimum. Nothing else is reported about
    /// them.
    public let withheldIntervals: Int
    /// The number of people asked for.
    public let people: Int
    /// The people whose stores couldn't be read, in the order of the request, with the reasons. The rows are without
    /// them.
    public let failures: [CohortFailure]
}

/// A person whose store couldn't be read.
public struct CohortFailure: Hashable, Sendable {
    /// The person's identifier.
    public let person: String
    /// The reason for the failure, without any health value.
    public let reason: String
}

extension CohortRow {
    init(_ figures: [Double], of interval: Int, in request: CohortRequest) {
        // In order of size, so that the result doesn't depend on which person was read first.
        let sorted = figures.sorted()
        let count = Double(sorted.count)
        let sum = sorted.reduce(0, +)
        let mean = sum / count
        let squares = sorted.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        let deviation = sorted.count > 1 ? (squares / (count - 1)).squareRoot() : 0
        start = Date(timeIntervalSinceReferenceDate: request.bounds[interval])
        end = Date(timeIntervalSinceReferenceDate: request.bounds[interval + 1])
        people = sorted.count
        guard request.protectsPeople else {
            (self.sum, self.mean, standardDeviation) = (sum, mean, deviation)
            quantiles = request.quantiles.map { Self.quantile($0, of: sorted) }
            return
        }
        let rounding = DisclosureRounding(people: sorted.count, mean: mean, deviation: deviation)
        let shown = request.display
        self.mean = shown(rounding.mean)
        self.sum = self.mean * count
        standardDeviation = shown(rounding.deviation) - shown(0)
        quantiles = request.quantiles.map { share in
            rounding.allows(share, of: request.minimumPeople)
                ? shown(rounding.quantile(Self.quantile(share, of: sorted))) : nil
        }
    }

    /// Returns a quantile of sorted numbers, interpolated between neighbors as R (type 7) and NumPy do.
    ///
    /// Hyndman and Fan, “Sample Quantiles in Statistical Packages”, The American Statistician 50 (1996), definition 7.
    static func quantile(_ share: Double, of sorted: [Double]) -> Double {
        let place = share * Double(sorted.count - 1)
        let below = Int(place)
        guard below + 1 < sorted.count else { return sorted[sorted.count - 1] }
        return sorted[below] + (place - Double(below)) * (sorted[below + 1] - sorted[below])
    }
}
