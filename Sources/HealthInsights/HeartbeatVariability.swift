/// Heart rate variability in the time domain, from the times of heartbeats (Task Force of the European Society of
/// Cardiology 1996).
package struct HeartbeatVariability: Hashable, Sendable {
    /// The standard deviation of the intervals between beats, in milliseconds.
    package let sdnn: Double
    /// The root mean square of the differences between successive intervals, in milliseconds.
    package let rmssd: Double

    /// Calculates the figures of a series; `nil` for fewer than three intervals.
    ///
    /// - Parameters:
    ///   - offsets: The times of the beats in seconds, ascending.
    ///   - gaps: Not 0 for a beat before which others were missed. The interval before it doesn't count.
    package init?(offsets: [Double], gaps: [Double]) {
        let intervals = offsets.indices.dropFirst().map { index in
            index < gaps.count && gaps[index] != 0 ? nil : (offsets[index] - offsets[index - 1]) * 1_000
        }
        let known = intervals.compactMap { $0 }
        let squares = zip(intervals, intervals.dropFirst()).compactMap { before, after in
            before.flatMap { before in after.map { ($0 - before) * ($0 - before) } }
        }
        guard known.count > 2, !squares.isEmpty, let deviation = Dispersion.deviation(known) else { return nil }
        (sdnn, rmssd) = (deviation, (squares.reduce(0, +) / Double(squares.count)).squareRoot())
    }
}
