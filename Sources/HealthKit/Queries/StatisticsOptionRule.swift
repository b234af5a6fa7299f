/// Which statistics options go with which family of quantity types, in the original's words.
enum StatisticsOptionRule {
    /// Not a programmer's error in itself: callers raise it.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    private static let discrete: [(HKStatisticsOptions, String)] = [
        (.discreteAverage, "HKStatisticsOptionDiscreteAverage"),
        (.discreteMin, "HKStatisticsOptionDiscreteMin"),
        (.discreteMax, "HKStatisticsOptionDiscreteMax"),
    ]

    private static let cumulative: [(HKStatisticsOptions, String)] = [
        (.cumulativeSum, "HKStatisticsOptionCumulativeSum")
    ]

    /// - Throws: ``Violation`` when an option belongs to the other family.
    static func validate(_ options: HKStatisticsOptions, for type: HKQuantityType) throws {
        let isCumulative = type.aggregationStyle == .cumulative
        let wrong = isCumulative ? discrete : cumulative
        guard let (_, name) = wrong.first(where: { options.contains($0.0) }) else { return }
        let family = isCumulative ? "cumulative" : "discrete"
        throw Violation(
            description:
                "Statistics option \(name) is not compatible with \(family) data type \(type.identifier)")
    }

    /// Ends the process when an option belongs to the other family.
    static func require(
        _ options: HKStatisticsOptions, for type: HKQuantityType, file: StaticString = #fileID, line: UInt = #line
    ) {
        do {
            try validate(options, for: type)
        } catch {
            ProgrammerError.raise("\(error)", file: file, line: line)
        }
    }
}
