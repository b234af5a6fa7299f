import Foundation
import HealthInsights
import HealthKit
@testable import HealthKitUI
import Testing

@Suite("Activity rings as SVG")
struct RingDrawingTests {
    private func svg(_ figures: RingProgress, isAnimated: Bool = false) -> String {
        RingDrawing(width: 200, height: 200, isAnimated: isAnimated).svg(figures)
    }

    private func count(_ word: String, in text: String) -> Int {
        text.components(separatedBy: word).count - 1
    }

    @Test("Missing progress draws only the tracks")
    func empty() {
        let text = svg(RingProgress())
        #expect(count("class=\"track\"", in: text) == 3)
        #expect(count("<path", in: text) == 0)
        #expect(count("<circle", in: text) == 3)
    }

    @Test("Zero progress draws a dot at the top")
    func zero() throws {
        let text = svg(RingProgress(move: 0, exercise: nil, stand: nil))
        #expect(count("<path", in: text) == 0)
        // The start and the leading end coincide above the center.
        let dots = text.split(separator: "\n").filter { $0.hasPrefix("<circle cx=\"100\"") && !$0.contains("track") }
        #expect(!dots.isEmpty)
        #expect(dots.allSatisfy { $0.contains("cy=\"16.5\"") })
    }

    @Test("The rings have their colors, from outer to inner")
    func colors() throws {
        let text = svg(RingProgress(move: 0.5, exercise: 0.5, stand: 0.5))
        let places = ["rgb(250,17,79)", "rgb(166,255,0)", "rgb(0,255,246)"].map { text.range(of: $0)?.lowerBound }
        let found = places.compactMap { $0 }
        #expect(found.count == 3)
        #expect(found == found.sorted())
    }

    @Test(
        "Over 100 %, only the last turn is drawn, and its end casts a shadow on the ring",
        arguments: [1.3, 1.55, 2.9, 12.0])
    func overlap(progress: Double) {
        let text = svg(RingProgress(move: progress, exercise: nil, stand: nil))
        #expect(count("url(#shadow)", in: text) == 1)
        #expect(count("<path", in: text) == 120)
    }

    @Test("A ring that doesn’t overlap itself has no shadow")
    func noOverlap() {
        #expect(count("url(#shadow)", in: svg(RingProgress(move: 0.6, exercise: 0.1, stand: 0.8))) == 0)
    }

    @Test("Each ring with progress has one animation")
    func animated() {
        #expect(count("<animate", in: svg(RingProgress(move: 0.4, exercise: 1.2, stand: 0), isAnimated: true)) == 2)
        #expect(count("<animate", in: svg(RingProgress(move: 0.4, exercise: 1.2, stand: 0))) == 0)
    }

    @Test("The accessibility label contains the percentages")
    func label() {
        #expect(
            svg(RingProgress(move: 0.634, exercise: nil, stand: 2)).contains(
                "aria-label=\"Move 63 %, Exercise not set, Stand 200 %\""))
    }
}
