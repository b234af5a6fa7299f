public import Foundation
import HealthEngine
package import HealthModel
import Synchronization

/// The activity rings of one day: what was reached and what the goals were.
///
/// Energy is in kilocalories, times are in minutes, stand hours are a count; a figure that was not recorded is
/// zero. Applications may create a summary of their own to draw it; it cannot be saved.
// Unchecked: all state is in a Mutex; the compiler checks only final classes.
open class HKActivitySummary: NSObject, _CVarArgObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// Month 0 for a summary without a day. A figure is missing if it was not recorded.
    private let state: Mutex<ActivitySummaryBody>

    /// Creates a summary without a day; all figures are zero.
    public override init() {
        state = Mutex(ActivitySummaryBody(year: 0, month: 0, day: 0))
    }

    /// Creates the summary of a record. Quantities keep the unit they were recorded in.
    init(_ record: ActivitySummaryBody) {
        state = Mutex(record)
    }

    /// The record of the summary.
    final var record: ActivitySummaryBody { state.withLock { $0 } }

    /// A figure; none for one of another dimension, which an archive or a device can have stored.
    private func quantity(
        _ figure: any KeyPath<ActivitySummaryBody, QuantityRecord?> & Sendable, in unit: HKUnit
    ) -> HKQuantity? {
        record[keyPath: figure].flatMap { HKQuantity($0, compatibleWith: unit) }
    }

    private func set(
        _ figure: any WritableKeyPath<ActivitySummaryBody, QuantityRecord?> & Sendable, to quantity: HKQuantity?
    ) {
        let value = quantity?.record
        state.withLock { $0[keyPath: figure] = value }
    }

    /// Returns the day as era, year, month and day in a calendar; only the calendar if the summary has no day.
    open func dateComponents(for calendar: Calendar) -> DateComponents {
        let record = record
        var gregorian = Calendar(identifier: .gregorian)
        gregorian.timeZone = calendar.timeZone
        // Noon exists on every day in every time zone.
        let noon = DateComponents(year: record.year, month: record.month, day: record.day, hour: 12)
        guard record.month > 0, let date = gregorian.date(from: noon) else { return DateComponents(calendar: calendar) }
        var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
        components.calendar = calendar
        return components
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        HKActivitySummary(record)
    }

    // MARK: Figures

    /// The figure that fills the Move ring.
    open var activityMoveMode: HKActivityMoveMode {
        get { HKActivityMoveMode(rawValue: record.moveMode) ?? .activeEnergy }
        set { state.withLock { $0.moveMode = newValue.rawValue } }
    }

    /// A Boolean value that indicates whether the rings were paused that day.
    open var isPaused: Bool {
        get { record.isPaused }
        set { state.withLock { $0.isPaused = newValue } }
    }

    /// The active energy burned, in an energy unit.
    open var activeEnergyBurned: HKQuantity {
        get { quantity(\.activeEnergyBurned, in: .kilocalorie()) ?? HKQuantity(unit: .kilocalorie(), doubleValue: 0) }
        set { set(\.activeEnergyBurned, to: newValue) }
    }

    /// The Move goal, in an energy unit.
    open var activeEnergyBurnedGoal: HKQuantity {
        get {
            quantity(\.activeEnergyBurnedGoal, in: .kilocalorie()) ?? HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        }
        set { set(\.activeEnergyBurnedGoal, to: newValue) }
    }

    /// The time spent moving, in a time unit.
    open var appleMoveTime: HKQuantity {
        get { quantity(\.appleMoveTime, in: .minute()) ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { set(\.appleMoveTime, to: newValue) }
    }

    /// The Move goal if the Move ring counts time, in a time unit.
    open var appleMoveTimeGoal: HKQuantity {
        get { quantity(\.appleMoveTimeGoal, in: .minute()) ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { set(\.appleMoveTimeGoal, to: newValue) }
    }

    /// The time spent exercising, in a time unit.
    open var appleExerciseTime: HKQuantity {
        get { quantity(\.appleExerciseTime, in: .minute()) ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { set(\.appleExerciseTime, to: newValue) }
    }

    /// The Exercise goal, in a time unit; zero if there is none.
    open var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// The Exercise goal, in a time unit; `nil` if there is none.
    open var exerciseTimeGoal: HKQuantity? {
        get { quantity(\.appleExerciseTimeGoal, in: .minute()) }
        set { set(\.appleExerciseTimeGoal, to: newValue) }
    }

    /// The number of hours in which the person stood.
    open var appleStandHours: HKQuantity {
        get { quantity(\.appleStandHours, in: .count()) ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { set(\.appleStandHours, to: newValue) }
    }

    /// The Stand goal as a count; zero if there is none.
    open var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    /// The Stand goal as a count; `nil` if there is none.
    open var standHoursGoal: HKQuantity? {
        get { quantity(\.appleStandHoursGoal, in: .count()) }
        set { set(\.appleStandHoursGoal, to: newValue) }
    }

    // MARK: Coding

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(record, with: coder)
    }

    private static let figures: [any WritableKeyPath<ActivitySummaryBody, QuantityRecord?> & Sendable] = [
        \.activeEnergyBurned, \.activeEnergyBurnedGoal, \.appleMoveTime, \.appleMoveTimeGoal, \.appleExerciseTime,
        \.appleExerciseTimeGoal, \.appleStandHours, \.appleStandHoursGoal,
    ]

    /// Returns `nil` for a damaged archive, and for a unit or a move mode that this version does not know.
    public required init?(coder: NSCoder) {
        guard let record = SecureRecord.decode(ActivitySummaryBody.self, from: coder),
            HKActivityMoveMode(rawValue: record.moveMode) != nil,
            (0...9_999).contains(record.year), (0...12).contains(record.month), (0...31).contains(record.day),
            Self.figures.allSatisfy({ figure in record[keyPath: figure].map { HKQuantity($0) != nil } ?? true })
        else { return nil }
        state = Mutex(record)
    }

    // MARK: Equality

    /// Summaries are equal if their days, figures and goals are; a missing figure is zero, a missing goal of the Exercise
    /// or Stand ring is none.
    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKActivitySummary else { return false }
        let (left, right) = (record, other.record)
        return (left.year, left.month, left.day) == (right.year, right.month, right.day)
            && activityMoveMode == other.activityMoveMode && left.isPaused == right.isPaused
            && activeEnergyBurned == other.activeEnergyBurned && appleMoveTime == other.appleMoveTime
            && activeEnergyBurnedGoal == other.activeEnergyBurnedGoal && appleMoveTimeGoal == other.appleMoveTimeGoal
            && appleExerciseTime == other.appleExerciseTime && exerciseTimeGoal == other.exerciseTimeGoal
            && appleStandHours == other.appleStandHours && standHoursGoal == other.standHoursGoal
    }

    open override var hash: Int { dayNumber.hashValue }

    /// The day as year · 10000 + month · 100 + day; 0 without one.
    final var dayNumber: Int {
        let record = record
        return record.year * 10_000 + record.month * 100 + record.day
    }

    open override var description: String {
        let record = record
        return "<HKActivitySummary \(record.month > 0 ? "\(record.year)-\(record.month)-\(record.day)" : "no day")>"
    }
}

// MARK: - Test kit

extension HKHealthStore {
    /// Saves activity summaries on behalf of another source.
    package func plant(_ summaries: [HKActivitySummary], as revision: SourceRevisionRecord) throws {
        try plant(revision) {
            try summaries.map { summary in
                let body = summary.record
                guard body.month > 0 else {
                    throw EngineError.invalidArgument("An activity summary without a day cannot be stored.")
                }
                let noon = DateComponents(timeZone: .gmt, year: body.year, month: body.month, day: body.day, hour: 12)
                let date = Calendar(identifier: .gregorian).date(from: noon) ?? .distantPast
                return .object(
                    ObjectRecord(
                        type: HKObjectType.activitySummaryType().code, start: date.timeIntervalSinceReferenceDate,
                        end: date.timeIntervalSinceReferenceDate, body: .activitySummary(body)))
            }
        }
    }
}

extension HKActivitySummary {
    /// An empty summary of a Gregorian day.
    package static func ofDay(year: Int, month: Int, day: Int) -> HKActivitySummary {
        HKActivitySummary(ActivitySummaryBody(year: year, month: month, day: day))
    }
}
