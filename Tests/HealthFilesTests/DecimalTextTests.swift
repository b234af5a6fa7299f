import Foundation
import HealthFiles
import HealthTesting
import Testing

@Suite struct DecimalTextTests {
    @Test(arguments: [
        "0", "-0", "1", "72", "0.0639", "18087.8", "-3.5", "14.866333333333333", "1e5", "1.5E-7", "+7",
        "123456789012345", "1234567890123456789012", "0.1", "0.3", "999999999999999", "99999999999999.9",
        "0.000000000000001", "4.35", "179769313486231570000000000000000000000000000", "1e999", "5e-324", ".5", "5.",
    ])
    func readsAsStrtodDoes(_ text: String) {
        #expect(DecimalText.parse(text)?.bitPattern == strtod(text, nil).bitPattern)
    }

    @Test(arguments: ["", "-", ".", "abc", "1a", "1,5", " 1", "1 ", "0x10", "--1", "1e", "1.2.3", "e5", "nan(1)", "١"])
    func refuses(_ text: String) {
        #expect(DecimalText.parse(text) == nil)
    }

    @Test func readsInfinityAndNaN() {
        #expect(DecimalText.parse("nan")?.isNaN == true)
        #expect(DecimalText.parse("-inf") == -.infinity)
        #expect(DecimalText.parse("Infinity") == .infinity)
    }

    @Test func readsRandomDecimalsAsStrtodDoes() {
        var random = SplitMix64(seed: 21)
        for _ in 0..<50_000 {
            let whole = UInt64.random(in: 0...(1 << UInt64.random(in: 0...60, using: &random)), using: &random)
            let decimals = Int.random(in: 0...12, using: &random)
            let fraction = (0..<decimals).map { _ in String(Int.random(in: 0...9, using: &random)) }.joined()
            let text = (Bool.random(using: &random) ? "-" : "") + "\(whole)" + (decimals > 0 ? "." + fraction : "")
            #expect(DecimalText.parse(text)?.bitPattern == strtod(text, nil).bitPattern, "seed 21: \(text)")
        }
    }

    @Test(arguments: ["0", "72", "0.0639", "18087.8", "-3.5", "14.866333333333333", "1e+20"])
    func roundTrips(_ text: String) throws {
        #expect(DecimalText.print(try #require(DecimalText.parse(text))) == text)
    }
}
