import Foundation
import HealthKitUI
import Testing

@Suite("Electrocardiograms on paper")
struct ElectrocardiogramDrawingTests {
    private func drawing(seconds: Double, _ volts: (Double) -> Double) -> ElectrocardiogramDrawing {
        let times = Array(stride(from: 0, to: seconds, by: 0.25))
        return ElectrocardiogramDrawing(title: "Sinus rhythm <&>", times: times, volts: times.map(volts))
    }

    private func curves(_ drawing: ElectrocardiogramDrawing) -> [String] {
        drawing.svg.matches(of: /<path class="lead-1" d="([^"]*)"/).map { String($0.1) }
    }

    @Test("Ten seconds are 250 mm, and a millivolt is 10 mm")
    func scale() {
        // 10 mm above zero and 10 below: two squares each.
        let short = drawing(seconds: 1) { $0 == 0.5 ? 0.001 : 0 }
        #expect(curves(short) == ["M10 20L16.25 20L22.5 10L28.75 20"])
        #expect(short.svg.contains("width=\"270mm\" height=\"40mm\""))
        #expect(short.svg.contains(">Sinus rhythm &lt;&amp;><") && short.svg.contains(">25 mm/s, 10 mm/mV<"))
    }

    @Test("A strip is ten seconds", arguments: [(1.0, 1), (10.0, 1), (30.0, 3), (30.5, 4)])
    func strips(seconds: Double, count: Int) {
        let drawing = drawing(seconds: seconds) { _ in 0.0005 }
        #expect(curves(drawing).count == count)
        #expect(drawing.svg.contains("height=\"\(20 + 20 * count)mm\""))
    }

    @Test("Missing voltages are gaps, and what goes beyond the paper is clipped")
    func gaps() {
        let drawing = drawing(seconds: 1) { $0 == 0.25 ? .nan : $0 == 0.75 ? 1 : 0 }
        #expect(curves(drawing) == ["M10 50h0M22.5 50L28.75 10"])
        let none = ElectrocardiogramDrawing(title: "", times: [], volts: [])
        #expect(curves(none) == [] && none.svg.contains("height=\"40mm\""))
    }

    @Test("A PNG has the size of the paper")
    func png() throws {
        let bytes = [UInt8](try drawing(seconds: 10) { _ in 0 }.pngData(pixelsPerMillimeter: 2))
        #expect(Array(bytes.prefix(4)) == [0x89, 0x50, 0x4E, 0x47])
        func number(_ at: Int) -> Int { bytes[at..<at + 4].reduce(0) { $0 * 256 + Int($1) } }
        #expect(number(16) == 540 && number(20) == 80)
    }
}
