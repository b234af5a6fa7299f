import Foundation
import HealthEngine
import HealthModel

/// Evaluates a predicate on an object in memory: `evaluate(with:)`, and what a store cannot evaluate.
enum PredicateEvaluation {
    /// Whether the object satisfies the predicate. An object of another module's class satisfies only constants.
    ///
    /// An object with a text for which a pattern of `MATCHES` takes too many steps (see ``FullMatchPattern``) satisfies
    /// neither a predicate nor its negation.
    static func holds(_ node: PredicateNode, for object: Any?) -> Bool {
        var isUndecided = false
        let holds = holds(node, for: object, &isUndecided)
        return holds && !isUndecided
    }

    private static func holds(_ node: PredicateNode, for object: Any?, _ isUndecided: inout Bool) -> Bool {
        switch node {
        case .constant(let value): value
        case .and(let nodes): nodes.allSatisfy { holds($0, for: object, &isUndecided) }
        case .or(let nodes): nodes.contains { holds($0, for: object, &isUndecided) }
        case .not(let inner): !holds(inner, for: object, &isUndecided)
        case .filter(let filter, _): matches(filter, object)
        case .comparison(let comparison): holds(comparison, for: object, &isUndecided)
        }
    }

    private static func holds(_ comparison: PredicateComparison, for object: Any?, _ isUndecided: inout Bool) -> Bool {
        if let parts = WorkoutKeyPaths.parts(of: comparison, for: object) {
            return parts.contains { holds($0.comparison, for: $0.object, &isUndecided) }
        }
        let left = value(comparison.left, of: object)
        let right = value(comparison.right, of: object)
        switch comparison.operation {
        case .isIn:
            return right.elements.contains { equal(left, $0, comparison) }
        case .between:
            guard right.elements.count == 2, let low = order(left, right.elements[0]),
                let high = order(left, right.elements[1])
            else { return false }
            return low >= 0 && high <= 0
        case .contains:
            if case .list(let values) = left { return values.contains { equal($0, right, comparison) } }
            return text(left, right, comparison) { $0.contains($1) }
        case .beginsWith: return text(left, right, comparison) { $0.hasPrefix($1) }
        case .endsWith: return text(left, right, comparison) { $0.hasSuffix($1) }
        case .like: return text(left, right, comparison) { isLike($0, $1) }
        case .matches:
            return text(left, right, comparison) { text, pattern in
                guard let wanted = FullMatchPattern(pattern) else { return false }
                guard let matches = wanted.matches(text) else {
                    isUndecided = true
                    return false
                }
                return matches
            }
        case .equal: return equal(left, right, comparison)
        case .notEqual:
            // As in a store, a quantity that is missing is neither equal to another nor different from it.
            if left == .null, case .quantity = right { return false }
            return !equal(left, right, comparison)
        case .lessThan, .lessThanOrEqual, .greaterThan, .greaterThanOrEqual:
            guard let order = order(left, right), let operation = comparison.operation.comparison else { return false }
            return operation.holds(order)
        }
    }

    private static func matches(_ filter: SampleFilter, _ object: Any?) -> Bool {
        if let activity = object as? HKWorkoutActivity { return filter.matches(activity.record) }
        switch object {
        case let object as HKObject:
            switch RecordEncoder.item(object) {
            case .sample(var record):
                record.revision = object.sourceRevision.record
                return filter.matches(record, isOwn: ProcessApplication.contains)
            case .object(var record):
                record.revision = object.sourceRevision.record
                record.members += (object as? HKSample)?.linkedRecords ?? []
                return filter.matches(record, isOwn: ProcessApplication.contains)
            case nil: return false
            }
        case let medication as HKUserAnnotatedMedication:
            return matches(filter, .userAnnotatedMedicationType(), .document(medication.fields.document))
        case let summary as HKActivitySummary:
            return matches(filter, .activitySummaryType(), .activitySummary(summary.record))
        default: return false
        }
    }

    /// An object without dates: `nan` satisfies no comparison of dates.
    private static func matches(_ filter: SampleFilter, _ type: HKObjectType, _ body: ObjectBody) -> Bool {
        filter.matches(
            ObjectRecord(type: type.code, start: .nan, end: .nan, body: body), isOwn: ProcessApplication.contains)
    }

    private static func value(_ operand: PredicateOperand, of object: Any?) -> PredicateValue {
        switch operand {
        case .value(let value): value
        case .object: PredicateValue(object) ?? .null
        case .keyPath(let parts): object.map { property(parts, of: $0) } ?? .null
        }
    }

    private static func equal(
        _ left: PredicateValue, _ right: PredicateValue, _ comparison: PredicateComparison
    ) -> Bool {
        if case .string(let leftText) = left, case .string(let rightText) = right {
            return folded(leftText, comparison) == folded(rightText, comparison)
        }
        switch (left, right) {
        case (.source(let identifier), .ownSource), (.ownSource, .source(let identifier)):
            return ProcessApplication.contains(identifier)
        default: break
        }
        return order(left, right).map { $0 == 0 } ?? (left == right)
    }

    /// Negative, zero or positive for `left` before, equal to or after `right`; `nil` for values without an order.
    static func order(_ left: PredicateValue, _ right: PredicateValue) -> Int? {
        switch (left, right) {
        case (.date(let a), .date(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.day(let a), .day(let b)): return a - b
        case (.string(let a), .string(let b)): return a < b ? -1 : a > b ? 1 : 0
        case (.quantity(let a), .quantity(let b)):
            guard let value = try? HKQuantity(record: a).validatedValue(for: HKQuantity(record: b).unit) else {
                return nil
            }
            return value < b.value ? -1 : value > b.value ? 1 : 0
        default:
            guard let a = left.asNumber, let b = right.asNumber else { return nil }
            return a < b ? -1 : a > b ? 1 : a == b ? 0 : nil
        }
    }

    private static func text(
        _ left: PredicateValue, _ right: PredicateValue, _ comparison: PredicateComparison,
        _ test: (String, String) -> Bool
    ) -> Bool {
        guard case .string(let leftText) = left, case .string(let rightText) = right else { return false }
        return test(folded(leftText, comparison), folded(rightText, comparison))
    }

    private static func folded(_ text: String, _ comparison: PredicateComparison) -> String {
        var options: String.CompareOptions = []
        if comparison.isCaseInsensitive { options.insert(.caseInsensitive) }
        if comparison.isDiacriticInsensitive { options.insert(.diacriticInsensitive) }
        return options.isEmpty ? text : text.folding(options: options, locale: nil)
    }

    /// Whether a text is like a pattern, in which `*` matches any characters and `?` one.
    ///
    /// A regular expression would try all ways to divide the text between the `*`. The last `*` alone has to be tried
    /// again.
    private static func isLike(_ text: String, _ pattern: String) -> Bool {
        let (text, pattern) = (Array(text), Array(pattern))
        var (place, part) = (0, 0)
        var retry: (place: Int, part: Int)?
        while place < text.count {
            if part < pattern.count, pattern[part] == "*" {
                retry = (place, part)
                part += 1
            } else if part < pattern.count, pattern[part] == "?" || pattern[part] == text[place] {
                place += 1
                part += 1
            } else if let last = retry {
                retry = (last.place + 1, last.part)
                (place, part) = (last.place + 1, last.part + 1)
            } else {
                return false
            }
        }
        return pattern[part...].allSatisfy { $0 == "*" }
    }
}

/// A pattern of `MATCHES`: a regular expression for a whole text, which is tried in a number of steps in proportion to
/// the length of the text. Without a limit, a pattern such as `(a+)+` tries all ways to divide a text, which takes
/// years.
private struct FullMatchPattern {
    private let expression: NSRegularExpression

    /// The steps for a text, and further ones for each of its UTF-16 code units.
    private static let steps = (first: 100_000, each: 10)
    /// The steps between two reports of the regular expression's progress.
    private static let stepsOfReport = 10_000

    /// Creates the pattern; `nil` if it isn't a regular expression.
    init?(_ pattern: String) {
        // The pattern alone must be one: another one could end the group.
        guard (try? NSRegularExpression(pattern: pattern)) != nil,
            let whole = try? NSRegularExpression(pattern: "(?:\(pattern))\\z")
        else { return nil }
        expression = whole
    }

    /// Whether the whole text matches; `nil` if that takes more steps than are allowed.
    func matches(_ text: String) -> Bool? {
        let length = text.utf16.count
        var reports = (Self.steps.first + Self.steps.each * length) / Self.stepsOfReport
        var matches: Bool? = false
        expression.enumerateMatches(
            in: text, options: [.anchored, .reportProgress], range: NSRange(location: 0, length: length)
        ) {
            found, flags, stop in
            if flags.contains(.progress) {
                reports -= 1
                guard reports <= 0 else { return }
                matches = nil
            } else if found != nil {
                matches = true
            }
            stop.pointee = true
        }
        return matches
    }
}

extension PredicateEvaluation {
    /// The value of a key path on an object; `null` for a property that the object does not have.
    static func property(_ parts: [String], of object: Any) -> PredicateValue {
        guard let first = parts.first else { return PredicateValue(object) ?? .null }
        if let value = healthRecordProperty(parts, of: object) { return value }
        if let value = WorkoutKeyPaths.property(parts, of: object) { return value }
        guard let object = object as? HKObject else {
            return (object as? HKActivitySummary).map { summaryProperty(first, of: $0) } ?? .null
        }
        if first == HKPredicateKeyPathMetadata {
            guard parts.count > 1 else { return object.metadata == nil ? .null : .bool(true) }
            return PredicateValue(object.metadata?[parts[1]]) ?? .null
        }
        if first == HKPredicateKeyPathDevice, parts.count > 1, let device = object.device {
            return PredicateValue(DeviceProperty(rawValue: parts[1])?.value(of: device.record)) ?? .null
        }
        return objectProperty(first, of: object) ?? sampleProperty(first, of: object)
            ?? workoutProperty(first, of: object) ?? electrocardiogramProperty(first, of: object) ?? .null
    }

    private static func objectProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        switch name {
        case HKPredicateKeyPathUUID, "uuid": .uuid(object.uuid)
        case HKPredicateKeyPathSource: PredicateValue(object.sourceRevision.source)
        case HKPredicateKeyPathSourceRevision: PredicateValue(object.sourceRevision)
        case HKPredicateKeyPathDevice: PredicateValue(object.device)
        default: nil
        }
    }

    private static func sampleProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let sample = object as? HKSample else { return nil }
        switch name {
        case HKPredicateKeyPathStartDate: return .date(sample.startDate)
        case HKPredicateKeyPathEndDate: return .date(sample.endDate)
        case HKPredicateKeyPathQuantity: return (sample as? HKQuantitySample).map { .quantity($0.quantity.record) }
        case HKPredicateKeyPathCategoryValue: return (sample as? HKCategorySample).map { .number(Double($0.value)) }
        case HKPredicateKeyPathCount: return (sample as? HKQuantitySample).map { .number(Double($0.count)) }
        case HKPredicateKeyPathSum:
            return (sample as? HKCumulativeQuantitySample).map { .quantity($0.sumQuantity.record) }
        case HKPredicateKeyPathMin:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.minimumQuantity.record) }
        case HKPredicateKeyPathMax:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.maximumQuantity.record) }
        case HKPredicateKeyPathAverage:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.averageQuantity.record) }
        case HKPredicateKeyPathMostRecent:
            return (sample as? HKDiscreteQuantitySample).map { .quantity($0.mostRecentQuantity.record) }
        case HKPredicateKeyPathMostRecentStartDate:
            return (sample as? HKDiscreteQuantitySample).map { .date($0.mostRecentQuantityDateInterval.start) }
        case HKPredicateKeyPathMostRecentEndDate:
            return (sample as? HKDiscreteQuantitySample).map { .date($0.mostRecentQuantityDateInterval.end) }
        case HKPredicateKeyPathMostRecentDuration:
            return (sample as? HKDiscreteQuantitySample).map { .number($0.mostRecentQuantityDateInterval.duration) }
        default: return nil
        }
    }

    private static func workoutProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let workout = object as? HKWorkout else { return nil }
        switch name {
        case HKPredicateKeyPathWorkoutType: return .number(Double(workout.workoutActivityType.rawValue))
        case HKPredicateKeyPathWorkoutDuration: return .number(workout.duration)
        case HKPredicateKeyPathWorkoutTotalDistance: return PredicateValue(workout.totalDistance)
        case HKPredicateKeyPathWorkoutTotalEnergyBurned: return PredicateValue(workout.totalEnergyBurned)
        case HKPredicateKeyPathWorkoutTotalSwimmingStrokeCount:
            return PredicateValue(workout.totalSwimmingStrokeCount)
        case HKPredicateKeyPathWorkoutTotalFlightsClimbed: return PredicateValue(workout.totalFlightsClimbed)
        default: return nil
        }
    }

    private static func electrocardiogramProperty(_ name: String, of object: HKObject) -> PredicateValue? {
        guard let electrocardiogram = object as? HKElectrocardiogram else { return nil }
        switch name {
        case HKPredicateKeyPathECGClassification:
            return .number(Double(electrocardiogram.classification.rawValue))
        case HKPredicateKeyPathECGSymptomsStatus:
            return .number(Double(electrocardiogram.symptomsStatus.rawValue))
        case HKPredicateKeyPathAverageHeartRate:
            return PredicateValue(electrocardiogram.averageHeartRate)
        default:
            return nil
        }
    }

    private static func summaryProperty(_ name: String, of summary: HKActivitySummary) -> PredicateValue {
        guard name == HKPredicateKeyPathDateComponents else { return .null }
        return .day(summary.dayNumber)
    }
}
