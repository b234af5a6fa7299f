import Foundation
import HealthInsights
import HealthTesting
import Testing

@Suite("Usual ranges")
struct UsualRangeTests {
    /// The range by its definition, with the factors as they were published.
    private func reference(_ values: [Double]) -> (minimum: Double, maximum: Double)? {
        func median(_ values: [Double]) -> Double {
            let below = values.sorted()[(values.count - 1) / 2], above = values.sorted()[values.count / 2]
            return (below + above) / 2
        }
        let factors: [Int: Double] = [
            2: 1.196, 3: 1.495, 4: 1.363, 5: 1.206, 6: 1.200, 7: 1.140, 8: 1.129, 9: 1.107,
        ]
        guard values.count >= 2, Set(values).count > 1 else { return nil }
        let n = Double(values.count), middle = median(values)
        let distances = values.map { ($0 - middle).magnitude }
        let mean = distances.reduce(0, +) / n
        let scaled = 1.4826 * median(distances) * (factors[values.count] ?? n / (n - 0.8))
        let deviation = scaled > 0 ? scaled : mean * (Double.pi / 2).squareRoot()
        return (middle - 3 * deviation, middle + 3 * deviation)
    }

    @Test("Ranges of random values are those of the definition", arguments: [1, 2, 3, 4, 5] as [UInt64])
    func random(seed: UInt64) throws {
        var random = SplitMix64(seed: seed)
        for round in 0..<400 {
            let count = Int.random(in: 2...40, using: &random)
            // Few different values, so that more than half are often equal.
            let values = (0..<count).map { _ in Double(Int.random(in: 0...(round % 7 + 1), using: &random)) + 50 }
            let (range, expected) = (UsualRange(values), reference(values))
            #expect((range == nil) == (expected == nil), "seed \(seed): \(values)")
            guard let range, let expected else { continue }
            #expect(abs(range.minimum - expected.minimum) < 1e-9, "seed \(seed): \(values)")
            #expect(abs(range.maximum - expected.maximum) < 1e-9, "seed \(seed): \(values)")
            #expect(range.count == count && range.contains(range.median))
        }
    }

    @Test("One week with a fever moves neither the median nor the bounds far")
    func outlier() throws {
        let weeks = [52.0, 53, 54, 53, 52, 55, 53, 54, 52, 53]
        let usual = try #require(UsualRange(weeks)), ill = try #require(UsualRange(weeks.dropLast() + [90]))
        #expect(abs(usual.maximum - ill.maximum) < 3 && !ill.contains(90))
    }

    @Test("Equal values have no range, nor have those that differ by rounding only; bounds are possible values")
    func limits() throws {
        #expect(UsualRange([]) == nil && UsualRange([1]) == nil && UsualRange([7, 7, 7, 7]) == nil)
        #expect(UsualRange([0.1 + 0.2, 0.3, 0.3, 0.3]) == nil)
        let share = try #require(UsualRange([0.95, 0.97, 0.99, 0.96], possible: 0...1))
        #expect(share.maximum == 1 && share.minimum > 0.8)
        #expect(try #require(UsualRange([1, 9, 2, 8], possible: 0 ... .infinity)).minimum == 0)
    }

    /// Docs/Insights.md says how often values stand out by chance.
    @Test("Of normally distributed values, few are outside")
    func chance() {
        var random = SplitMix64(seed: 11)
        // By Box and Muller.
        func normal() -> Double {
            let radius = (-2 * log(Double.random(in: .leastNonzeroMagnitude..<1, using: &random))).squareRoot()
            return radius * cos(2 * .pi * Double.random(in: 0..<1, using: &random))
        }
        for (count, most) in [(8, 0.06), (26, 0.02), (182, 0.008)] {
            let outside = (0..<2_000).count { _ in
                !(UsualRange((0..<count).map { _ in normal() })?.contains(normal()) ?? true)
            }
            #expect(Double(outside) / 2_000 < most, "\(count) values: \(outside) of 2,000")
        }
    }
}
