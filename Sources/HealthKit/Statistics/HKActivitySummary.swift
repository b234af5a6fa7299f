public import Foundation
import Synchronization

/// The activity rings of one day: what was reached and what the goals were.
///
/// Energy is in kilocalories, times are in minutes, stand hours are a count; a figure that was not recorded is
/// zero. Applications may create a summary of their own to draw it; it cannot be saved.
// Unchecked: all state is in a Mutex; the compiler checks only final classes.
open class HKActivitySummary: NSObject, NSSecureCoding, NSCopying, @unchecked Sendable {
    /// The properties as plain values.
    struct Fields: Equatable, Sendable {
        var day: Day?
        var activeEnergyBurned = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        var activeEnergyBurnedGoal = HKQuantity(unit: .kilocalorie(), doubleValue: 0)
        var appleMoveTime = HKQuantity(unit: .minute(), doubleValue: 0)
        var appleMoveTimeGoal = HKQuantity(unit: .minute(), doubleValue: 0)
        var appleExerciseTime = HKQuantity(unit: .minute(), doubleValue: 0)
        var exerciseTimeGoal: HKQuantity?
        var appleStandHours = HKQuantity(unit: .count(), doubleValue: 0)
        var standHoursGoal: HKQuantity?
        var moveMode = HKActivityMoveMode.activeEnergy
        var isPaused = false
    }

    /// A Gregorian day.
    struct Day: Hashable, Codable, Sendable {
        var year: Int
        var month: Int
        var day: Int

        /// Returns era, year, month and day in any calendar.
        func components(in calendar: Calendar) -> DateComponents {
            var gregorian = Calendar(identifier: .gregorian)
            gregorian.timeZone = calendar.timeZone
            // Noon exists on every day in every time zone.
            let noon = DateComponents(year: year, month: month, day: day, hour: 12)
            guard let date = gregorian.date(from: noon) else { return DateComponents(calendar: calendar) }
            var components = calendar.dateComponents([.era, .year, .month, .day], from: date)
            components.calendar = calendar
            return components
        }
    }

    let fields: Mutex<Fields>

    /// Creates a summary without a day; all figures are zero.
    public override init() {
        fields = Mutex(Fields())
        super.init()
    }

    init(_ fields: Fields) {
        self.fields = Mutex(fields)
        super.init()
    }

    /// Returns the day as era, year, month and day in a calendar; only the calendar if the summary has no day.
    open func dateComponents(for calendar: Calendar) -> DateComponents {
        fields.withLock { $0.day }?.components(in: calendar) ?? DateComponents(calendar: calendar)
    }

    open func copy(with zone: NSZone? = nil) -> Any {
        HKActivitySummary(fields.withLock { $0 })
    }

    // MARK: Figures

    /// The figure that fills the Move ring.
    open var activityMoveMode: HKActivityMoveMode {
        get { fields.withLock { $0.moveMode } }
        set { fields.withLock { $0.moveMode = newValue } }
    }

    /// A Boolean value that indicates whether the rings were paused that day.
    open var isPaused: Bool {
        get { fields.withLock { $0.isPaused } }
        set { fields.withLock { $0.isPaused = newValue } }
    }

    /// The active energy burned, in an energy unit.
    open var activeEnergyBurned: HKQuantity {
        get { fields.withLock { $0.activeEnergyBurned } }
        set { fields.withLock { $0.activeEnergyBurned = newValue } }
    }

    /// The Move goal, in an energy unit.
    open var activeEnergyBurnedGoal: HKQuantity {
        get { fields.withLock { $0.activeEnergyBurnedGoal } }
        set { fields.withLock { $0.activeEnergyBurnedGoal = newValue } }
    }

    /// The time spent moving, in a time unit.
    open var appleMoveTime: HKQuantity {
        get { fields.withLock { $0.appleMoveTime } }
        set { fields.withLock { $0.appleMoveTime = newValue } }
    }

    /// The Move goal if the Move ring counts time, in a time unit.
    open var appleMoveTimeGoal: HKQuantity {
        get { fields.withLock { $0.appleMoveTimeGoal } }
        set { fields.withLock { $0.appleMoveTimeGoal = newValue } }
    }

    /// The time spent exercising, in a time unit.
    open var appleExerciseTime: HKQuantity {
        get { fields.withLock { $0.appleExerciseTime } }
        set { fields.withLock { $0.appleExerciseTime = newValue } }
    }

    /// The Exercise goal, in a time unit; zero if there is none.
    open var appleExerciseTimeGoal: HKQuantity {
        get { exerciseTimeGoal ?? HKQuantity(unit: .minute(), doubleValue: 0) }
        set { exerciseTimeGoal = newValue }
    }

    /// The Exercise goal, in a time unit; `nil` if there is none.
    open var exerciseTimeGoal: HKQuantity? {
        get { fields.withLock { $0.exerciseTimeGoal } }
        set { fields.withLock { $0.exerciseTimeGoal = newValue } }
    }

    /// The number of hours in which the person stood.
    open var appleStandHours: HKQuantity {
        get { fields.withLock { $0.appleStandHours } }
        set { fields.withLock { $0.appleStandHours = newValue } }
    }

    /// The Stand goal as a count; zero if there is none.
    open var appleStandHoursGoal: HKQuantity {
        get { standHoursGoal ?? HKQuantity(unit: .count(), doubleValue: 0) }
        set { standHoursGoal = newValue }
    }

    /// The Stand goal as a count; `nil` if there is none.
    open var standHoursGoal: HKQuantity? {
        get { fields.withLock { $0.standHoursGoal } }
        set { fields.withLock { $0.standHoursGoal = newValue } }
    }

    // MARK: Coding

    open class var supportsSecureCoding: Bool { true }

    open func encode(with coder: NSCoder) {
        SecureRecord.encode(ActivitySummaryArchive(fields.withLock { $0 }), with: coder)
    }

    /// Returns `nil` for a damaged archive.
    public required init?(coder: NSCoder) {
        guard let archive = SecureRecord.decode(ActivitySummaryArchive.self, from: coder),
            let fields = archive.fields
        else { return nil }
        self.fields = Mutex(fields)
        super.init()
    }

    // MARK: Equality

    open override func isEqual(_ object: Any?) -> Bool {
        guard let other = object as? HKActivitySummary else { return false }
        return self === other || fields.withLock { $0 } == other.fields.withLock { $0 }
    }

    open override var hash: Int { fields.withLock { $0.day }.hashValue }

    open override var description: String {
        let day = fields.withLock { $0.day }
        return "<HKActivitySummary \(day.map { "\($0.year)-\($0.month)-\($0.day)" } ?? "no day")>"
    }
}

/// The archived form of an activity summary.
private struct ActivitySummaryArchive: Codable {
    var day: HKActivitySummary.Day?
    var activeEnergyBurned: QuantityFields
    var activeEnergyBurnedGoal: QuantityFields
    var appleMoveTime: QuantityFields
    var appleMoveTimeGoal: QuantityFields
    var appleExerciseTime: QuantityFields
    var exerciseTimeGoal: QuantityFields?
    var appleStandHours: QuantityFields
    var standHoursGoal: QuantityFields?
    var moveMode: Int
    var isPaused: Bool

    init(_ fields: HKActivitySummary.Fields) {
        day = fields.day
        activeEnergyBurned = QuantityFields(fields.activeEnergyBurned)
        activeEnergyBurnedGoal = QuantityFields(fields.activeEnergyBurnedGoal)
        appleMoveTime = QuantityFields(fields.appleMoveTime)
        appleMoveTimeGoal = QuantityFields(fields.appleMoveTimeGoal)
        appleExerciseTime = QuantityFields(fields.appleExerciseTime)
        exerciseTimeGoal = fields.exerciseTimeGoal.map { QuantityFields($0) }
        appleStandHours = QuantityFields(fields.appleStandHours)
        standHoursGoal = fields.standHoursGoal.map { QuantityFields($0) }
        moveMode = fields.moveMode.rawValue
        isPaused = fields.isPaused
    }

    /// The properties; `nil` if a unit or the move mode is unknown.
    var fields: HKActivitySummary.Fields? {
        guard let activeEnergyBurned = activeEnergyBurned.quantity,
            let activeEnergyBurnedGoal = activeEnergyBurnedGoal.quantity,
            let appleMoveTime = appleMoveTime.quantity,
            let appleMoveTimeGoal = appleMoveTimeGoal.quantity,
            let appleExerciseTime = appleExerciseTime.quantity,
            let appleStandHours = appleStandHours.quantity,
            let moveMode = HKActivityMoveMode(rawValue: moveMode)
        else { return nil }
        var fields = HKActivitySummary.Fields()
        fields.day = day
        fields.activeEnergyBurned = activeEnergyBurned
        fields.activeEnergyBurnedGoal = activeEnergyBurnedGoal
        fields.appleMoveTime = appleMoveTime
        fields.appleMoveTimeGoal = appleMoveTimeGoal
        fields.appleExerciseTime = appleExerciseTime
        fields.exerciseTimeGoal = exerciseTimeGoal?.quantity
        fields.appleStandHours = appleStandHours
        fields.standHoursGoal = standHoursGoal?.quantity
        fields.moveMode = moveMode
        fields.isPaused = isPaused
        return fields
    }
}
