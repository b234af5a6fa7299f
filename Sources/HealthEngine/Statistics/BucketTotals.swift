/// What one bucket has gathered so far. Values are in the canonical unit.
struct BucketTotals: Sendable {
    /// Whether any sample falls into the bucket.
    var hasSamples = false
    /// Merged sum of a cumulative type.
    var sum = 0.0
    /// How many samples, and the sum of their values, for the plain mean.
    var count = 0
    var valueSum = 0.0
    /// Least and greatest value, NaN left out; crossed as long as there is none.
    var minimum = Double.infinity
    var maximum = -Double.infinity
    /// Integral over time (of the value, or of the sound energy), and the time it covers.
    var integral = 0.0
    var integralTime = 0.0
    /// Sum of sound energies without regard to time.
    var energySum = 0.0
    /// The sample of the latest end, then start, then sequence.
    var recent: StatisticsValues.Recent?
    /// Seconds covered, overlaps once.
    var duration = 0.0

    /// Takes in a sample that may be the most recent; among equals the one offered last stays.
    @inline(__always)
    mutating func offerRecent(value: Double, start: Double, end: Double) {
        if let recent, (end, start) < (recent.end, recent.start) { return }
        recent = StatisticsValues.Recent(value: value, start: start, end: end)
    }

    /// Adds what another task found for the same bucket, among later samples that overlap none here.
    mutating func merge(_ later: BucketTotals) {
        guard later.hasSamples else { return }
        hasSamples = true
        sum += later.sum
        count += later.count
        valueSum += later.valueSum
        minimum = min(minimum, later.minimum)
        maximum = max(maximum, later.maximum)
        integral += later.integral
        integralTime += later.integralTime
        energySum += later.energySum
        duration += later.duration
        if let recent = later.recent {
            offerRecent(value: recent.value, start: recent.start, end: recent.end)
        }
    }
}
