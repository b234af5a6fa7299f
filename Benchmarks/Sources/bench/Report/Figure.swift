import Foundation

/// Numbers as the table shows them.
enum Figure {
    /// Seconds in the unit that reads best.
    static func time(_ seconds: Double) -> String {
        switch seconds {
        case 1...: String(format: "%.2f s", seconds)
        case 0.01...: String(format: "%.1f ms", seconds * 1e3)
        case 0.001...: String(format: "%.2f ms", seconds * 1e3)
        default: String(format: "%.0f µs", seconds * 1e6)
        }
    }

    static func megabytes(_ bytes: Int) -> String {
        String(format: "%.0f MB", Double(bytes) / 1e6)
    }

    /// A ratio: two digits that matter, more where a target is near 1.
    static func plain(_ number: Double) -> String {
        String(format: number >= 10 ? "%.1f" : "%.2f", number)
    }

    static func with(_ unit: String, _ number: Double) -> String {
        unit == "MB" ? String(format: "%.0f MB", number) : "\(plain(number)) \(unit)"
    }
}
