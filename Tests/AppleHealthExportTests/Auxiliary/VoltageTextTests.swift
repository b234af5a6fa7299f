import Foundation
import HealthTesting
import Testing

@testable import AppleHealthExport

@Suite struct VoltageTextTests {
    private func plain(_ text: String, _ exponent: Int = -6) -> Double? {
        var text = text
        return text.withUTF8 { VoltageText.parsePlain($0, exponent: exponent)?.value }
    }

    @Test(arguments: ["-265.868", "0.001", "-0.000", "12", "123456789.012345", "999999999999999", "7,5", "-0,5"])
    func plainNumbersAreReadAsStrtodReadsThem(_ text: String) throws {
        let expected = try #require(Double(text.replacingOccurrences(of: ",", with: ".") + "e-6"))
        #expect(plain(text)?.bitPattern == expected.bitPattern)
        #expect(VoltageText.parse(text, exponent: -6)?.bitPattern == expected.bitPattern)
    }

    @Test(arguments: ["", "-", ".", "1.", ".5", "1.2.3", "1e3", "a", "1 ", "+1", "1234567890123456", "−1"])
    func othersAreNotPlain(_ text: String) {
        #expect(plain(text) == nil)
    }

    @Test(arguments: [
        ("−265,868", "-265.868"), ("1 234,5", "1234.5"), ("1\u{A0}234,5", "1234.5"), ("1.234,5", "1234.5"),
        ("1,234.5", "1234.5"), ("1’234.5", "1234.5"), ("٢٦٥٫٨٦٨", "265.868"), ("\u{61C}-٢٦٥٫٨٦٨", "-265.868"),
        ("२६५.८", "265.8"), ("２６５", "265"), ("+1", "1"),
    ])
    func readsNumbersOfOtherScripts(_ text: String, _ expected: String) {
        #expect(VoltageText.plain(text) == expected)
        #expect(VoltageText.parse(text, exponent: 0) == Double(expected))
    }

    @Test(arguments: ["", "-", "1-2", "1.", "Lead I", "Watch6,7", "--1", "½", "一"])
    func rejectsTextThatIsNotANumber(_ text: String) {
        #expect(VoltageText.plain(text) == nil)
    }

    @Test func anyVoltageIsReadBackExactly() throws {
        var random = SplitMix64(seed: 3)
        let styles = ["3 . -", "3 , \u{2212}", "- , -", "0 . -", "15 . -"].map { VoltageText(format: $0) }
        for index in 0..<4_000 {
            let value =
                switch index % 4 {
                case 0: Double(Int.random(in: -1_000_000...1_000_000, using: &random)) / 1e9
                case 1: Double.random(in: -1e-3...1e-3, using: &random)
                case 2: Double(bitPattern: random.next())
                default: [0, -0.0, 1e-12, -1e-20, 1e21, .leastNonzeroMagnitude].randomElement(using: &random)!
                }
            guard value.isFinite, abs(value) < 1e22 else { continue }
            for style in styles {
                var bytes: [UInt8] = []
                style.append(value, exponent: -6, to: &bytes)
                let text = String(decoding: bytes, as: UTF8.self)
                // Subnormal numbers have more digits than a line can.
                guard text.utf8.count < 60 else { continue }
                #expect(VoltageText.parse(text, exponent: -6)?.bitPattern == value.bitPattern, "\(text)")
            }
        }
    }

    @Test func keepsTheNumberOfDecimals() {
        func text(_ value: Double, _ note: String?) -> String {
            var bytes: [UInt8] = []
            VoltageText(format: note).append(value, exponent: -6, to: &bytes)
            return String(decoding: bytes, as: UTF8.self)
        }
        #expect(text(-265.868e-6, nil) == "-265.868")
        #expect(text(12e-6, nil) == "12.000")
        #expect(text(-0.0, nil) == "-0.000")
        #expect(text(-265.868e-6, "3 , −") == "−265,868")
        #expect(text(265.5e-6, "- . -") == "265.5" && text(265e-6, "- . -") == "265")
        #expect(text(1.23456e-4, nil) == "123.456" && text(1.234567e-4, nil) == "123.4567")
        for note in ["", "x", "3 ; -", "99 . -", "3 ."] { #expect(VoltageText(format: note) == VoltageText()) }
    }
}
