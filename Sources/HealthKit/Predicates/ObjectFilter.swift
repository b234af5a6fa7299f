import Foundation

/// A condition on objects in HealthKit's own terms: what the predicate factories of `HKQuery` create.
///
/// A store evaluates its counterpart, the engine's filter, on columns; ``matches(_:)`` evaluates the filter on
/// an object in memory.
indirect enum ObjectFilter: Hashable, Sendable {
    /// Every object.
    case all
    /// No object.
    case nothing
    /// All of the filters.
    case and([ObjectFilter])
    /// At least one of the filters.
    case or([ObjectFilter])
    case not(ObjectFilter)

    /// The start, in seconds since 2001.
    case start(Comparison, Double)
    /// The end, in seconds since 2001.
    case end(Comparison, Double)
    /// End minus start, or a workout's duration without pauses, in seconds.
    case duration(Comparison, Double)
    /// A quantity sample's quantity; units are converted first.
    case quantity(Comparison, HKQuantity)
    /// A category sample's value.
    case category(Comparison, Int)
    /// The identity is one of these.
    case uuid(Set<UUID>)
    /// The source is one of these.
    case source(Set<HKSource>)
    /// The revision matches one of these; see ``HKSourceRevision/matches(_:)``.
    case revision([HKSourceRevision])
    /// The device is one of these.
    case device(Set<HKDevice>)
    /// A device property is one of the values; an empty set matches a missing property.
    case deviceProperty(HKDevice.Property, Set<String>)
    /// The metadata has the key.
    case metadataPresent(String)
    /// A metadata value; a missing key matches only `notEqual`.
    case metadata(String, Comparison, PredicateValue)
    /// A metadata value is one of these.
    case metadataIn(String, [PredicateValue])
    /// The sample belongs to no correlation.
    case noCorrelation
    /// The sample belongs to this workout (or another owning object).
    case memberOf(UUID)
    /// The object is in an effort relationship of this workout, and of this activity if there is one.
    case effortRelated(workout: UUID, activity: UUID?)
    /// A workout's activity type.
    case workoutActivityType(Comparison, UInt)
    /// A workout's total; units are converted first.
    case workoutTotal(Total, Comparison, HKQuantity)
    /// A workout's statistic of one quantity type.
    case workoutStatistic(HKQuantityType, Statistic, Comparison, HKQuantity)
    /// One of the workout's activities matches.
    case anyActivity(ObjectFilter)
    /// An activity summary's day, as year · 10000 + month · 100 + day.
    case summaryDay(Comparison, Int)
    /// A stored field of the family; a missing field matches only `notEqual`.
    case field(String, Comparison, PredicateValue)
    /// A stored list field contains the value.
    case fieldContains(String, PredicateValue)

    enum Comparison: String, Hashable, Sendable {
        case lessThan, lessThanOrEqual, equal, notEqual, greaterThanOrEqual, greaterThan

        /// Whether a left side that orders as `order` against the right side satisfies the comparison:
        /// negative for smaller, 0 for equal, positive for greater, `nil` for values without an order.
        func holds(_ order: Int?) -> Bool {
            guard let order else { return self == .notEqual }
            return switch self {
            case .lessThan: order < 0
            case .lessThanOrEqual: order <= 0
            case .equal: order == 0
            case .notEqual: order != 0
            case .greaterThanOrEqual: order >= 0
            case .greaterThan: order > 0
            }
        }
    }

    enum Total: String, Hashable, Sendable {
        case distance, energyBurned, swimmingStrokeCount, flightsClimbed
    }

    enum Statistic: String, Hashable, Sendable, CaseIterable {
        case sum, minimum, maximum, average
    }
}

extension ObjectFilter {
    /// The filter with `HKSource.default()` replaced by the application of the store that evaluates it.
    func bound(to application: HKSource) -> ObjectFilter {
        switch self {
        case .and(let filters): .and(filters.map { $0.bound(to: application) })
        case .or(let filters): .or(filters.map { $0.bound(to: application) })
        case .not(let inner): .not(inner.bound(to: application))
        case .source(let sources) where sources.contains(where: \.isDefault):
            .source(Set(sources.map { $0.isDefault ? application : $0 }))
        default: self
        }
    }
}

// MARK: - Objects in memory

extension ObjectFilter {
    /// Whether an object in memory satisfies the filter.
    ///
    /// An object by itself belongs to no correlation and to no workout: only a store knows such links.
    func matches(_ object: Any?) -> Bool {
        switch self {
        case .all: return true
        case .nothing: return false
        case .and(let filters): return filters.allSatisfy { $0.matches(object) }
        case .or(let filters): return filters.contains { $0.matches(object) }
        case .not(let inner): return !inner.matches(object)
        case .summaryDay(let comparison, let day):
            guard let summary = object as? HKActivitySummary else { return false }
            let number = PredicateEvaluation.summaryDay(summary.dateComponents(for: Calendar(identifier: .gregorian)))
            return comparison.holds(number - day)
        case .field(let name, let comparison, let wanted):
            guard PredicateEvaluation.hasFields(object) else { return false }
            guard let value = PredicateEvaluation.field(name, of: object) else { return comparison == .notEqual }
            if case .list = value { return comparison == .notEqual }
            return comparison.holds(PredicateEvaluation.order(value, wanted))
        case .fieldContains(let name, let wanted):
            return PredicateEvaluation.field(name, of: object)?.elements.contains(wanted) ?? false
        default:
            guard let object = object as? HKObject else { return false }
            return matchesOrigin(object) ?? matchesMetadata(object) ?? matchesSample(object)
                ?? matchesWorkout(object) ?? false
        }
    }

    private func matchesOrigin(_ object: HKObject) -> Bool? {
        switch self {
        case .uuid(let identities): identities.contains(object.uuid)
        case .source(let sources): sources.contains(object.sourceRevision.source)
        case .revision(let revisions): revisions.contains { $0.matches(object.sourceRevision) }
        case .device(let devices): object.device.map { devices.contains($0) } ?? false
        case .deviceProperty(let property, let values):
            object.device?.value(of: property).map { values.contains($0) } ?? values.isEmpty
        case .noCorrelation: true
        case .memberOf: false
        default: nil
        }
    }

    private func matchesMetadata(_ object: HKObject) -> Bool? {
        switch self {
        case .metadataPresent(let key): return object.metadata?[key] != nil
        case .metadata(let key, let comparison, let wanted):
            guard let value = PredicateValue(object.metadata?[key]), value != .null else {
                return comparison == .notEqual
            }
            return comparison.holds(PredicateEvaluation.order(value, wanted))
        case .metadataIn(let key, let values):
            guard let value = PredicateValue(object.metadata?[key]), value != .null else { return false }
            return values.contains { PredicateEvaluation.order(value, $0) == 0 }
        default: return nil
        }
    }

    private func matchesSample(_ object: HKObject) -> Bool? {
        guard let sample = object as? HKSample else { return nil }
        switch self {
        case .start(let comparison, let instant):
            return comparison.holds(PredicateEvaluation.order(sample.startDate, instant))
        case .end(let comparison, let instant):
            return comparison.holds(PredicateEvaluation.order(sample.endDate, instant))
        case .duration(let comparison, let seconds):
            let duration = (sample as? HKWorkout)?.duration ?? sample.endDate.timeIntervalSince(sample.startDate)
            return comparison.holds(PredicateEvaluation.order(.number(duration), .number(seconds)))
        case .quantity(let comparison, let wanted):
            guard let sample = sample as? HKQuantitySample else { return false }
            return comparison.holds(PredicateEvaluation.order(.quantity(sample.quantity), .quantity(wanted)))
        case .category(let comparison, let value):
            guard let sample = sample as? HKCategorySample else { return false }
            return comparison.holds(sample.value < value ? -1 : sample.value > value ? 1 : 0)
        default: return nil
        }
    }

    private func matchesWorkout(_ object: HKObject) -> Bool? {
        guard let workout = object as? HKWorkout else { return nil }
        let found: HKQuantity?
        let comparison: Comparison
        let wanted: HKQuantity
        switch self {
        case .workoutActivityType(let comparison, let type):
            return comparison.holds(Int(clamping: workout.workoutActivityType.rawValue) - Int(clamping: type))
        case .workoutTotal(let total, let operation, let bound):
            (comparison, wanted) = (operation, bound)
            found =
                switch total {
                case .distance: workout.totalDistance
                case .energyBurned: workout.totalEnergyBurned
                case .swimmingStrokeCount: workout.totalSwimmingStrokeCount
                case .flightsClimbed: workout.totalFlightsClimbed
                }
        case .workoutStatistic(let type, let statistic, let operation, let bound):
            (comparison, wanted) = (operation, bound)
            let statistics = workout.statistics(for: type)
            found =
                switch statistic {
                case .sum: statistics?.sumQuantity()
                case .minimum: statistics?.minimumQuantity()
                case .maximum: statistics?.maximumQuantity()
                case .average: statistics?.averageQuantity()
                }
        default: return nil
        }
        return found.map { comparison.holds(PredicateEvaluation.order(.quantity($0), .quantity(wanted))) } ?? false
    }
}
