import HealthModel

/// Which folds a request asks for.
struct StatisticsNeeds: Sendable {
    let sum: Bool
    let extremesAndMean: Bool
    let weightedMean: Bool
    let level: Bool
    let recent: Bool
    let duration: Bool
    let separate: Bool

    init(_ options: StatisticsOptions, style: AggregationStyle) {
        let average = options.contains(.discreteAverage)
        sum = options.contains(.cumulativeSum)
        // The plain mean is also what a mean over no time falls back to.
        extremesAndMean = average || options.contains(.discreteMin) || options.contains(.discreteMax)
        weightedMean = average && style == .discreteTemporallyWeighted
        level = average && style == .discreteEquivalentContinuousLevel
        recent = options.contains(.mostRecent)
        duration = options.contains(.duration)
        separate = options.contains(.separateBySource)
    }

    /// Whether neighbouring samples act on each other even where they do not overlap, so that one
    /// bucket cannot be worked on in parts.
    var joinsNeighbours: Bool { weightedMean }
}
