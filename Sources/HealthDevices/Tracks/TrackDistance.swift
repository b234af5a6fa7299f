/// The distances that a device counts up.
enum TrackDistance {
    /// Meters per second that no one exceeds.
    private static let greatestSpeed = 30.0

    /// The count at which a recording begins, where the first one may continue from before: a count that leads to the sum
    /// that the device states or, without one, that can't have been covered since.
    ///
    /// - Parameters:
    ///   - seconds: The time from the beginning to the first count.
    ///   - sum: The distance as the device states it.
    ///   - start: The count from which the recording would begin otherwise.
    static func first(
        _ first: Double, after seconds: Double, last: Double, of sum: Double?, from start: Double = 0
    ) -> Double {
        let isContinued =
            if let sum {
                abs(last - first - sum) < abs(last - start - sum)
            } else {
                first - start > max(seconds, 1) * greatestSpeed
            }
        return isContinued ? first : start
    }
}
