public import Foundation

// The labels of before Swift 3, kept as the original keeps them.
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

    /// The older spelling of ``init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated,
        renamed:
            "init(activityType:start:end:workoutEvents:totalEnergyBurned:totalDistance:device:metadata:)"
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

    /// The older spelling of ``init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)``.
    @available(
        *, deprecated,
        renamed:
            "init(activityType:start:end:duration:totalEnergyBurned:totalDistance:device:metadata:)"
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
