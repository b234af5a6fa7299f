package import Foundation

/// A figure of a workout at one time, such as the heart rate, to draw.
package struct WorkoutPoint: Hashable, Sendable {
    /// The start of the sample, or of the first of several.
    package let start: Date
    /// The end of the last sample.
    package let end: Date
    /// The value, or the mean of several.
    package let value: Double
    package let minimum: Double
    package let maximum: Double
    /// Whether the value is unknown for a while before: nothing is to be drawn between this and the last point.
    package let isPrecededByGap: Bool

    /// Some devices regularly measure less often than every minute, so that a gap is also four times the usual distance
    /// of samples.
    private static let gap = (seconds: 60.0, factor: 4.0)

    /// Returns the points to draw of samples.
    ///
    /// - Parameters:
    ///   - maximum: The number of samples that are separate points. Of more, those of each step are combined, or of
    ///     several.
    ///   - step: Seconds.
    static func curve(of samples: [MeasuredPoint], maximum: Int, step: Double = 60) -> [WorkoutPoint] {
        let sorted = samples.sorted { ($0.start, $0.end) < ($1.start, $1.end) }
        guard let first = sorted.first, let last = sorted.last else { return [] }
        let steps = max(1, ((last.start - first.start) / step / Double(max(1, maximum))).rounded(.up))
        let groups =
            sorted.count <= maximum
            ? sorted.map { [$0] } : sorted.chunked { Int(($0.start - first.start) / step / steps) }
        let distances = zip(groups, groups.dropFirst()).map { $1[0].start - $0[$0.count - 1].end }.sorted()
        let usual = distances.isEmpty ? 0 : distances[distances.count / 2]
        let longest = max(gap.seconds, gap.factor * usual)
        return groups.enumerated().map { index, group in
            let values = group.map(\.value)
            let before = index > 0 ? groups[index - 1][groups[index - 1].count - 1].end : nil
            return WorkoutPoint(
                start: Date(timeIntervalSinceReferenceDate: group[0].start),
                end: Date(timeIntervalSinceReferenceDate: group[group.count - 1].end),
                value: values.reduce(0, +) / Double(values.count), minimum: values.min() ?? 0,
                maximum: values.max() ?? 0, isPrecededByGap: before.map { group[0].start - $0 > longest } ?? false)
        }
    }
}

extension [MeasuredPoint] {
    /// Neighbors with the same key.
    fileprivate func chunked(by key: (MeasuredPoint) -> Int) -> [[MeasuredPoint]] {
        var groups: [[MeasuredPoint]] = []
        var last: Int?
        for point in self {
            if key(point) == last { groups[groups.count - 1].append(point) } else { groups.append([point]) }
            last = key(point)
        }
        return groups
    }
}
