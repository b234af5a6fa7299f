public import Foundation

extension HKWorkout {
    /// Creates a workout without pauses.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date
    ) {
        self.init(
            WorkoutDraft(activityType: workoutActivityType, start: startDate, end: endDate),
            device: nil, metadata: nil)
    }

    /// Creates a workout whose pauses are determined by its events.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
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

    /// Creates a workout whose pauses are determined by its events, with the device it was recorded with.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
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

    /// Creates a workout with a total of swimming strokes.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
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

    /// Creates a workout with a total of flights climbed.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
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

    /// Creates a workout with a duration in seconds; 0 means the time from start to end.
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

    /// Creates a workout with a duration in seconds and the device it was recorded with; a duration of 0 means the
    /// time from start to end.
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

    /// Creates a workout from the arguments of the initializers above.
    private convenience init(
        _ draft: WorkoutDraft, device: HKDevice?, metadata: [String: Any]?
    ) {
        let fields = draft.fields
        self.init(
            SampleBase.checked(
                newWorkout: fields, start: draft.start, end: draft.end, device: device, metadata: metadata),
            fields: fields)
    }
}

/// The arguments of an application that creates a workout.
private struct WorkoutDraft {
    var activityType: HKWorkoutActivityType
    var start: Date
    var end: Date
    /// Seconds; 0 computes it from dates and events.
    var duration = 0.0
    var events: [HKWorkoutEvent]?
    var totalEnergyBurned: HKQuantity?
    var totalDistance: HKQuantity?
    var totalSwimmingStrokeCount: HKQuantity?
    var totalFlightsClimbed: HKQuantity?

    init(activityType: HKWorkoutActivityType, start: Date, end: Date) {
        self.activityType = activityType
        self.start = start
        self.end = end
    }

    var fields: HKWorkout.Fields {
        // Stable: simultaneous events keep their order.
        let events = (events ?? []).map(\.fields).enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        return HKWorkout.Fields(
            activityType: activityType.rawValue,
            duration: duration != 0
                ? duration
                : WorkoutPauses.duration(
                    from: start.timeIntervalSinceReferenceDate, to: end.timeIntervalSinceReferenceDate,
                    events: events),
            totalEnergyBurned: totalEnergyBurned.map { QuantityFields($0) },
            totalDistance: totalDistance.map { QuantityFields($0) },
            totalSwimmingStrokeCount: totalSwimmingStrokeCount.map { QuantityFields($0) },
            totalFlightsClimbed: totalFlightsClimbed.map { QuantityFields($0) }, events: events)
    }
}

// Argument labels from before Swift 3, which the original still has.
extension HKWorkout {
    /// The older spelling of ``init(activityType:start:end:)``.
    @available(*, deprecated, renamed: "init(activityType:start:end:)")
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date
    ) {
        self.init(activityType: workoutActivityType, start: startDate, end: endDate)
    }

    /// The older spelling of ``init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:metadata:)``.
    @available(
        *, deprecated,
        renamed: "init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:metadata:)"
    )
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate,
            workoutEvents: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, metadata: metadata)
    }

    /// The older spelling of
    /// ``init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated,
        renamed: "init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)"
    )
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate,
            workoutEvents: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, device: device, metadata: metadata)
    }

    /// The older spelling of ``init(activityType:start:end:duration:totalEnergyBurned:totalDistance:metadata:)``.
    @available(
        *, deprecated,
        renamed: "init(activityType:start:end:duration:totalEnergyBurned:totalDistance:metadata:)"
    )
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, metadata: metadata)
    }

    /// The older spelling of
    /// ``init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated,
        renamed: "init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)"
    )
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: device,
            metadata: metadata)
    }
}
