import Foundation
import HealthFiles
import HealthTesting
import Testing

@testable import AppleHealthExport

@Suite struct NumberBytesTests {
    private func text(_ value: Double) -> String {
        let target = UnsafeMutablePointer<UInt8>.allocate(capacity: NumberBytes.maximumLength)
        defer { target.deallocate() }
        let length = NumberBytes.write(value, to: target)
        return String(decoding: UnsafeBufferPointer(start: target, count: length), as: UTF8.self)
    }

    @Test(arguments: [
        (0, "0"), (-0.0, "-0.0"), (1, "1"), (-1, "-1"), (10, "10"), (0.5, "0.5"), (-0.25, "-0.25"), (0.1, "0.1"),
        (0.3, "0.3"), (72.5, "72.5"), (100.01, "100.01"), (0.0639, "0.0639"), (0.0001, "0.0001"), (0.00001, "1e-05"),
        (123_456.789, "123456.789"), (999_999_999, "999999999"), (1_000_000_000, "1000000000"),
        (0.1 + 0.2, "0.30000000000000004"), (14.866333333333333, "14.866333333333333"), (1e21, "1e+21"),
        (5e-324, "5e-324"), (.infinity, "inf"), (-.infinity, "-inf"), (.nan, "nan"),
    ])
    func writes(_ value: Double, _ expected: String) {
        #expect(text(value) == expected)
    }

    @Test func agreesWithDecimalTextAndIsReadBackExactly() {
        var random = SplitMix64(seed: 11)
        for index in 0..<200_000 {
            let value: Double =
                switch index % 5 {
                case 0: Double(bitPattern: random.next())
                case 1: (Double.random(in: -1e6...1e6, using: &random) * 1_000).rounded() / 1_000
                case 2: Double(Int.random(in: -100_000...100_000, using: &random)) / pow(10, Double(index / 5 % 9))
                case 3: Double.random(in: 0...1, using: &random)
                default: Double(Int.random(in: -2_000_000_000...2_000_000_000, using: &random))
                }
            guard !value.isNaN else { continue }
            let written = text(value)
            #expect(written == DecimalText.print(value))
            #expect(DecimalText.parse(written)?.bitPattern == value.bitPattern)
        }
    }
}
