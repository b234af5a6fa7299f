import Foundation

/// Formats durations and paces for people.
enum DurationOutput {
    /// Hours and minutes: `7:05`, rounded to the minute.
    static func hours(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let minutes = Int((abs(seconds) / 60).rounded())
        return "\(seconds < 0 && minutes > 0 ? "-" : "")\(minutes / 60):\(two(minutes % 60))"
    }

    /// Hours and minutes, or `–`.
    static func hours(_ seconds: Double?) -> String {
        seconds.map { hours($0) } ?? "–"
    }

    /// Minutes and seconds, with hours where there are any: `34:12`, `1:02:10`.
    static func clock(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let whole = Int(abs(seconds).rounded())
        let sign = seconds < 0 && whole > 0 ? "-" : ""
        guard whole >= 3_600 else { return "\(sign)\(whole / 60):\(two(whole % 60))" }
        return "\(sign)\(whole / 3_600):\(two(whole / 60 % 60)):\(two(whole % 60))"
    }

    /// Whole minutes below an hour, and hours and minutes above: `34 min`, `7 h 5 min`.
    static func words(_ seconds: Double) -> String {
        guard seconds.isFinite, abs(seconds) < 1e12 else { return NumberOutput.text(seconds) }
        let minutes = Int((seconds / 60).rounded())
        guard minutes >= 60 else { return "\(minutes) min" }
        return minutes % 60 == 0 ? "\(minutes / 60) h" : "\(minutes / 60) h \(minutes % 60) min"
    }

    /// A time of day from seconds after midnight: `23:40`.
    static func timeOfDay(_ seconds: Double) -> String {
        let minutes = Int((seconds / 60).rounded()) % 1_440
        return "\(two(minutes / 60)):\(two(minutes % 60))"
    }

    private static func two(_ number: Int) -> String {
        number < 10 ? "0\(number)" : "\(number)"
    }
}
