public import Foundation
import HealthModel

extension HKWorkout {
    /// A workout from start to end, without pauses.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate),
            device: nil, metadata: nil)
    }

    /// A workout whose pauses follow from its events.
    ///
    /// Events outside the workout, an event other than lap or segment that lasts, or a start after
    /// the end ends the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate,
            workoutEvents: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, device: nil, metadata: metadata)
    }

    /// A workout whose pauses follow from its events, with the device that measured.
    ///
    /// Events outside the workout, an event other than lap or segment that lasts, or a start after
    /// the end ends the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        var draft = WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate)
        draft.events = workoutEvents
        draft.totalEnergyBurned = totalEnergyBurned
        draft.totalDistance = totalDistance
        self.init(draft, device: device, metadata: metadata)
    }

    /// A workout with a count of swimming strokes.
    ///
    /// Events outside the workout, an event other than lap or segment that lasts, or a start after
    /// the end ends the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        var draft = WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate)
        draft.events = workoutEvents
        draft.totalEnergyBurned = totalEnergyBurned
        draft.totalDistance = totalDistance
        draft.totalSwimmingStrokeCount = totalSwimmingStrokeCount
        self.init(draft, device: device, metadata: metadata)
    }

    /// A workout with a count of flights climbed.
    ///
    /// Events outside the workout, an event other than lap or segment that lasts, or a start after
    /// the end ends the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, totalFlightsClimbed: HKQuantity?, device: HKDevice?,
        metadata: [String: Any]?
    ) {
        var draft = WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate)
        draft.events = workoutEvents
        draft.totalEnergyBurned = totalEnergyBurned
        draft.totalDistance = totalDistance
        draft.totalFlightsClimbed = totalFlightsClimbed
        self.init(draft, device: device, metadata: metadata)
    }

    /// A workout with its duration in seconds; 0 stands for the time from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: nil,
            metadata: metadata)
    }

    /// A workout with its duration in seconds and the device that measured; 0 stands for the time from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        var draft = WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate)
        draft.duration = duration
        draft.totalEnergyBurned = totalEnergyBurned
        draft.totalDistance = totalDistance
        self.init(draft, device: device, metadata: metadata)
    }

    /// A workout of everything the initializers above can give.
    convenience init(_ draft: WorkoutDraft, device: HKDevice?, metadata: [String: Any]?) {
        let record = ObjectRecord(
            uuid: UUID(), type: HKObjectType.workoutType().code, start: draft.start, end: draft.end,
            metadata: ProgrammerError.checkedMetadata(metadata),
            body: .workout(draft.body))
        ProgrammerError.check(record, of: .workoutType())
        self.init(
            identity: record.uuid ?? UUID(),
            context: ObjectContext(type: .workoutType(), device: device, metadata: record.metadata),
            start: record.start, end: record.end, body: draft.body)
    }
}
