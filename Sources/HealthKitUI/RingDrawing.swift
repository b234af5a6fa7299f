import Foundation
import HealthInsights

/// Draws the three rings as SVG.
///
/// A ring consists of short arcs because SVG has no color gradient along a stroke. Of a ring above
/// 100%, only the last turn is drawn: it covers all earlier ones, and its leading end casts a shadow on
/// its own tail.
struct RingDrawing {
    let size: Double
    let width: Double
    let height: Double
    let isAnimated: Bool

    init(width: Double, height: Double, isAnimated: Bool) {
        self.width = width
        self.height = height
        self.isAnimated = isAnimated
        size = min(width, height)
    }

    private var centerX: Double { width / 2 }
    private var centerY: Double { height / 2 }
    /// Stroke width and gap, so that three strokes, two gaps, a hole and a margin fit into the image.
    private var stroke: Double { size * 0.115 }
    private var gap: Double { size * 0.012 }

    private func radius(of ring: Ring) -> Double {
        size * 0.475 - stroke / 2 - Double(ring.index) * (stroke + gap)
    }

    /// Returns the complete SVG document.
    func svg(_ progress: RingProgress) -> String {
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(text(width))" height="\(text(height))" \
            viewBox="0 0 \(text(width)) \(text(height))" role="img" aria-label="\(label(progress))">
            """,
            """
            <defs><radialGradient id="shadow"><stop offset="0.55" stop-color="#000" stop-opacity="0.55"/>\
            <stop offset="1" stop-color="#000" stop-opacity="0"/></radialGradient></defs>
            """,
            "<rect width=\"\(text(width))\" height=\"\(text(height))\" fill=\"#000\"/>",
        ]
        for ring in Ring.allCases {
            lines += draw(ring, share: progress.share(of: ring))
        }
        lines.append("</svg>")
        return lines.joined(separator: "\n") + "\n"
    }

    private func label(_ progress: RingProgress) -> String {
        Ring.allCases.map { ring in
            progress.share(of: ring).map { "\(ring.label) \(String(format: "%.0f", ($0 * 100).rounded())) %" }
                ?? "\(ring.label) not set"
        }.joined(separator: ", ")
    }

    private func draw(_ ring: Ring, share: Double?) -> [String] {
        let radius = radius(of: ring)
        var lines = [
            """
            <circle class="track" cx="\(text(centerX))" cy="\(text(centerY))" r="\(text(radius))" fill="none" \
            stroke="\(ring.color.css)" stroke-opacity="0.2" stroke-width="\(text(stroke))"/>
            """
        ]
        guard let share else { return lines }
        let name = ring.label.lowercased()
        let first = max(0, share - 1)
        if isAnimated, share > 0 { lines.append(reveal(name, radius: radius, turns: min(share, 1))) }
        let mask = isAnimated && share > 0 ? " mask=\"url(#\(name)-reveal)\"" : ""
        lines.append("<g class=\"\(name)\"\(mask)>")
        if share < 1 { lines.append(cap(at: 0, radius: radius, color: ring.startColor)) }
        lines += arcs(ring, from: first, to: share, radius: radius)
        if share > 0 { lines += leadingEnd(ring, share: share, radius: radius) }
        lines.append("</g>")
        return lines
    }

    /// Returns short arcs from `start` to `end`, both in turns.
    private func arcs(_ ring: Ring, from start: Double, to end: Double, radius: Double) -> [String] {
        let count = max(1, Int(((end - start) * 120).rounded(.up)))
        guard end > start else { return [] }
        return (0..<count).map { index in
            let from = start + (end - start) * Double(index) / Double(count)
            // Arcs overlap slightly so that no seams are visible.
            let to = min(end, start + (end - start) * (Double(index) + 1.35) / Double(count))
            let color = ring.startColor.mixed(with: ring.color, Double(index) / Double(max(1, count - 1)))
            return """
                <path d="M\(point(from, radius)) A\(text(radius)) \(text(radius)) 0 0 1 \(point(to, radius))" \
                fill="none" stroke="\(color.css)" stroke-width="\(text(stroke))"/>
                """
        }
    }

    /// Returns the leading end: its shadow where it overlaps the ring itself, then the round cap.
    private func leadingEnd(_ ring: Ring, share: Double, radius: Double) -> [String] {
        var lines: [String] = []
        // From here on, the cap overlaps the ring's own start.
        let overlapBegins = 1 - stroke / (2 * .pi * radius)
        if share > overlapBegins {
            let ahead = share + stroke * 0.16 / (2 * .pi * radius)
            let (x, y) = position(ahead, radius)
            lines.append(
                "<circle cx=\"\(text(x))\" cy=\"\(text(y))\" r=\"\(text(stroke * 0.56))\" fill=\"url(#shadow)\"/>")
        }
        lines.append(cap(at: share, radius: radius, color: ring.color))
        return lines
    }

    private func cap(at turn: Double, radius: Double, color: RingColor) -> String {
        let (x, y) = position(turn, radius)
        return "<circle cx=\"\(text(x))\" cy=\"\(text(y))\" r=\"\(text(stroke / 2))\" fill=\"\(color.css)\"/>"
    }

    /// Returns a mask that reveals the ring clockwise from the top within a second.
    private func reveal(_ name: String, radius: Double, turns: Double) -> String {
        let length = 2 * Double.pi * radius
        return """
            <mask id="\(name)-reveal" maskUnits="userSpaceOnUse" x="0" y="0" width="\(text(width))" \
            height="\(text(height))"><circle cx="\(text(centerX))" cy="\(text(centerY))" r="\(text(radius))" \
            fill="none" stroke="#fff" stroke-width="\(text(stroke * 1.2))" stroke-linecap="round" \
            transform="rotate(-90 \(text(centerX)) \(text(centerY)))" stroke-dasharray="\(text(length)) \(text(length))">\
            <animate attributeName="stroke-dasharray" from="0 \(text(length))" \
            to="\(text(length * min(1, turns + stroke / length))) \(text(length))" dur="1s" fill="freeze" \
            calcMode="spline" keyTimes="0;1" keySplines="0.3 0 0.2 1"/></circle></mask>
            """
    }

    private func position(_ turn: Double, _ radius: Double) -> (x: Double, y: Double) {
        let angle = turn * 2 * .pi - .pi / 2
        return (centerX + radius * cos(angle), centerY + radius * sin(angle))
    }

    private func point(_ turn: Double, _ radius: Double) -> String {
        let (x, y) = position(turn, radius)
        return "\(text(x)) \(text(y))"
    }

    /// Returns a coordinate with at most three decimal places, the same on every machine.
    private func text(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
