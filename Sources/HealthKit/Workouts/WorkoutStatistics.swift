import HealthEngine
import HealthModel

/// The figures of a workout or one of its activities.
struct WorkoutStatistics {
    /// Seconds since 2001-01-01 00:00:00 UTC.
    var start: Double
    var end: Double
    /// Figures that came with the workout.
    var stored: [WorkoutBody.Statistics]
    /// The samples the other figures are worked out from.
    var members: [SampleRecord]

    /// The figures of every type that has some.
    var all: [HKQuantityType: HKStatistics] {
        var identifiers = Set(stored.map(\.type))
        for code in Set(members.map(\.type)) {
            if let description = TypeCatalog.description(for: code), description.kind == .quantity {
                identifiers.insert(description.identifier)
            }
        }
        var all: [HKQuantityType: HKStatistics] = [:]
        for identifier in identifiers {
            guard let type = HKObjectType.quantityType(forIdentifier: .init(rawValue: identifier)) else {
                continue
            }
            all[type] = statistics(for: type)
        }
        return all
    }

    /// The figures of one type; `nil` when there are none.
    func statistics(for type: HKQuantityType) -> HKStatistics? {
        let description = type.typeDescription
        // A workout has thousands of samples, of one type as a rule: copying them would take longer than adding up.
        let isOther = { (sample: SampleRecord) in sample.type != description.code }
        let samples = members.contains(where: isOther) ? members.filter { !isOther($0) } : members
        let folded = MemberFold.values(of: samples, type: description)
        if let figures = stored.first(where: { $0.type == type.identifier }),
            HKUnit.parsed(figures.unit) != nil
        {
            var values = StatisticsValues(
                sum: figures.sum, average: figures.average, minimum: figures.minimum,
                maximum: figures.maximum)
            // What is not stored is told by the samples, in the unit they are folded in.
            if figures.unit == description.canonicalUnit {
                values.mostRecent = folded?.mostRecent
                values.duration = folded?.duration
            }
            return HKStatistics(
                StatisticsBucket(start: figures.start, end: figures.end, values: values, unit: figures.unit),
                of: type)
        }
        guard let values = folded else { return nil }
        return HKStatistics(
            StatisticsBucket(
                start: start, end: end, values: values, unit: description.canonicalUnit ?? "count"),
            of: type)
    }
}
