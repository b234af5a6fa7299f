import Foundation

/// Draws an electrocardiogram on its usual paper: 25 mm a second, 10 mm a millivolt, a line each millimeter and a
/// stronger one each five, in strips of ten seconds.
package struct ElectrocardiogramDrawing {
    /// A point of a strip in millimeters: from its left edge, and up from zero volts.
    private struct Point {
        var x: Double
        var y: Double
    }

    private let title: String
    /// The curves of each strip. One ends where voltages are missing.
    private let strips: [[[Point]]]
    /// How far a strip reaches below and above zero volts, in whole squares.
    private let below: Double
    private let above: Double

    private static let speed = 25.0
    private static let gain = 10.0
    private static let duration = 10.0
    private static let square = 5.0
    private static let width = speed * duration
    private static let margin = 2 * square
    /// Beyond this many millimeters, a curve is clipped: a contact that was lost must not make the paper a wall.
    private static let reach = 40.0

    /// Creates a drawing of volts at times in seconds since the start. NaN is a missing voltage.
    package init(title: String, times: [Double], volts: [Double]) {
        self.title = title
        let last = times.last { $0.isFinite } ?? 0
        let count = max(1, Int((min(last, 3_600) / Self.duration - 1e-9).rounded(.up)))
        var strips = [[[Point]]](repeating: [[]], count: count)
        var (lowest, highest) = (-Self.gain, Self.gain)
        for (time, volt) in zip(times, volts) where time.isFinite && time >= 0 {
            let strip = min(Int(min(time, last) / Self.duration), count - 1)
            guard volt.isFinite else {
                if strips[strip].last?.isEmpty == false { strips[strip].append([]) }
                continue
            }
            let point = Point(
                x: (time - Double(strip) * Self.duration) * Self.speed, y: volt * 1_000 * Self.gain)
            guard point.x <= Self.width else { continue }
            (lowest, highest) = (min(lowest, point.y), max(highest, point.y))
            strips[strip][strips[strip].count - 1].append(point)
        }
        self.strips = strips
        below = min(Self.reach, (-lowest / Self.square).rounded(.up) * Self.square)
        above = min(Self.reach, (highest / Self.square).rounded(.up) * Self.square)
    }

    private var height: Double { Double(strips.count) * (below + above) }
    private var size: (width: Double, height: Double) {
        (Self.width + 2 * Self.margin, height + 2 * Self.margin)
    }

    /// The drawing as an SVG document, in millimeters.
    package var svg: String {
        let (width, height) = size
        var lines = [
            """
            <svg xmlns="http://www.w3.org/2000/svg" width="\(text(width))mm" height="\(text(height))mm" \
            viewBox="0 0 \(text(width)) \(text(height))" role="img" aria-label="\(escaped(title))">
            <rect width="\(text(width))" height="\(text(height))" fill="#fff"/>
            """,
            label(escaped(title), y: 7, size: 5), grid(every: 1, color: "#f6d3d3", width: 0.1),
            grid(every: Self.square, color: "#e79a9a", width: 0.2),
        ]
        for (index, strip) in strips.enumerated() { lines += draw(strip, at: index) }
        lines += [label("25 mm/s, 10 mm/mV", y: height - 4, size: 3.5), "</svg>"]
        return lines.joined(separator: "\n") + "\n"
    }

    /// Returns the drawing as a PNG image.
    ///
    /// - Throws: ``ImageError`` if the image cannot be drawn.
    package func pngData(pixelsPerMillimeter scale: Double = 8) throws -> Data {
        try PNGRenderer.render(svg: svg, width: size.width * scale, height: size.height * scale)
    }

    private func label(_ words: String, y: Double, size: Double) -> String {
        "<text x=\"\(text(Self.margin))\" y=\"\(text(y))\" font-family=\"sans-serif\" font-size=\"\(text(size))\">"
            + "\(words)</text>"
    }

    private func grid(every step: Double, color: String, width: Double) -> String {
        let (left, top) = (Self.margin, Self.margin)
        let columns = stride(from: 0, through: Self.width, by: step).map {
            "M\(text(left + $0)) \(text(top))v\(text(height))"
        }
        let rows = stride(from: 0, through: height, by: step).map {
            "M\(text(left)) \(text(top + $0))h\(text(Self.width))"
        }
        return
            "<path d=\"\((columns + rows).joined())\" fill=\"none\" stroke=\"\(color)\" stroke-width=\"\(text(width))\"/>"
    }

    private func draw(_ strip: [[Point]], at index: Int) -> [String] {
        let zero = Self.margin + Double(index) * (below + above) + above
        let curves = strip.filter { !$0.isEmpty }.map { curve in
            let points = curve.map { point in
                "\(text(Self.margin + point.x)) \(text(zero - max(-below, min(above, point.y))))"
            }
            // A single voltage is a dot: a line of no length with round ends.
            return "M" + points.joined(separator: "L") + (points.count == 1 ? "h0" : "")
        }
        return curves.isEmpty
            ? []
            : [
                """
                <path class="lead-1" d="\(curves.joined())" fill="none" stroke="#111" stroke-width="0.3" \
                stroke-linejoin="round" stroke-linecap="round"/>
                """
            ]
    }

    private func escaped(_ words: String) -> String {
        words.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;")
            .replacingOccurrences(of: "\"", with: "&quot;")
    }

    /// Returns a coordinate with at most three decimal places, the same on every machine.
    private func text(_ value: Double) -> String {
        let rounded = (value * 1_000).rounded() / 1_000
        return rounded == rounded.rounded() ? String(Int(rounded)) : String(rounded)
    }
}
