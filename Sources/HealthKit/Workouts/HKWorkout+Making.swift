public import Foundation
import HealthModel

extension HKWorkout {
    /// Creates a workout without pauses.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date
    ) {
        self.init(workoutActivityType, startDate, endDate)
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
            activityType: workoutActivityType, start: startDate, end: endDate, workoutEvents: workoutEvents,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: nil, metadata: metadata)
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
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, device: device, metadata: metadata)
    }

    /// Creates a workout with a total of swimming strokes.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        totalSwimmingStrokeCount: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, totalSwimmingStrokeCount: totalSwimmingStrokeCount, device: device,
            metadata: metadata)
    }

    /// Creates a workout with a total of flights climbed.
    ///
    /// Events outside the workout, events other than laps and segments with a duration, and a start date after
    /// the end date end the process.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        totalFlightsClimbed: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, events: workoutEvents, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, totalFlightsClimbed: totalFlightsClimbed, device: device, metadata: metadata)
    }

    /// Creates a workout with a duration in seconds; 0 means the time from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date, end endDate: Date,
        duration: TimeInterval, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: nil, metadata: metadata)
    }

    /// Creates a workout with a duration in seconds and the device it was recorded with; a duration of 0 means the
    /// time from start to end.
    public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, start startDate: Date,
        end endDate: Date, duration: TimeInterval, totalEnergyBurned: HKQuantity?,
        totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            workoutActivityType, startDate, endDate, duration: duration, totalEnergyBurned: totalEnergyBurned,
            totalDistance: totalDistance, device: device, metadata: metadata)
    }

    /// Creates a workout from the arguments of the initializers above; a duration of 0 is computed from dates and events.
    private convenience init(
        _ activityType: HKWorkoutActivityType, _ start: Date, _ end: Date, duration: TimeInterval = 0,
        events: [HKWorkoutEvent]? = nil, totalEnergyBurned: HKQuantity? = nil, totalDistance: HKQuantity? = nil,
        totalSwimmingStrokeCount: HKQuantity? = nil, totalFlightsClimbed: HKQuantity? = nil, device: HKDevice? = nil,
        metadata: [String: Any]? = nil
    ) {
        // Stable: simultaneous events keep their order.
        let events = (events ?? []).map(\.record).enumerated()
            .sorted { ($0.element.start, $0.offset) < ($1.element.start, $1.offset) }.map(\.element)
        let body = WorkoutBody(
            activityType: activityType.rawValue,
            duration: duration != 0
                ? duration
                : WorkoutPauses.duration(
                    from: start.timeIntervalSinceReferenceDate, to: end.timeIntervalSinceReferenceDate, events: events),
            totalEnergyBurned: totalEnergyBurned?.record, totalDistance: totalDistance?.record,
            totalSwimmingStrokeCount: totalSwimmingStrokeCount?.record,
            totalFlightsClimbed: totalFlightsClimbed?.record, events: events)
        self.init(
            SampleBase.checked(
                new: .workoutType(), start: start, end: end, device: device, metadata: metadata, body: .workout(body)),
            body: body)
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
        *, deprecated, renamed: "init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:metadata:)"
    ) public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, workoutEvents: workoutEvents,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, metadata: metadata)
    }

    /// The older spelling of
    /// ``init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated,
        renamed: "init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)"
    ) public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date,
        workoutEvents: [HKWorkoutEvent]?, totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, workoutEvents: workoutEvents,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: device, metadata: metadata)
    }

    /// The older spelling of ``init(activityType:start:end:duration:totalEnergyBurned:totalDistance:metadata:)``.
    @available(
        *, deprecated, renamed: "init(activityType:start:end:duration:totalEnergyBurned:totalDistance:metadata:)"
    ) public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date, duration: TimeInterval,
        totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, metadata: metadata)
    }

    /// The older spelling of
    /// ``init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated, renamed: "init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)"
    ) public convenience init(
        activityType workoutActivityType: HKWorkoutActivityType, startDate: Date, endDate: Date, duration: TimeInterval,
        totalEnergyBurned: HKQuantity?, totalDistance: HKQuantity?, device: HKDevice?, metadata: [String: Any]?
    ) {
        self.init(
            activityType: workoutActivityType, start: startDate, end: endDate, duration: duration,
            totalEnergyBurned: totalEnergyBurned, totalDistance: totalDistance, device: device, metadata: metadata)
    }
}
