import HealthModel

extension StatisticsRequest {
    /// How the type's values combine. Throws ``EngineError/invalidArgument(_:)`` for what is no quantity
    /// type and for options of the other family, with the original's words.
    func validatedStyle(_ type: TypeDescription?) throws -> AggregationStyle {
        guard let type, type.kind == .quantity else {
            throw EngineError.invalidArgument("Statistics are made of quantity types only")
        }
        guard let style = type.aggregationStyle else {
            // A type this version does not know combines as the options say.
            return options.contains(.cumulativeSum) ? .cumulative : .discreteArithmetic
        }
        let refused: [(StatisticsOptions, String)] =
            style.isCumulative
            ? [
                (.discreteAverage, "HKStatisticsOptionDiscreteAverage"),
                (.discreteMin, "HKStatisticsOptionDiscreteMin"),
                (.discreteMax, "HKStatisticsOptionDiscreteMax"),
            ] : [(.cumulativeSum, "HKStatisticsOptionCumulativeSum")]
        for (option, name) in refused where options.contains(option) {
            let family = style.isCumulative ? "cumulative" : "discrete"
            throw EngineError.invalidArgument(
                "Statistics option \(name) is not compatible with \(family) data type \(type.identifier)")
        }
        return style
    }
}
