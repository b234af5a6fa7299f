/// A kind of sample that holds a long inner series, such as the points of a route.
// Unchecked: adds no stored property to its superclass.
open class HKSeriesType: HKSampleType, @unchecked Sendable {
    /// The series of single heartbeats.
    public class func heartbeat() -> Self {
        HKObjectType.required(HKDataTypeIdentifierHeartbeatSeries) as HKSeriesType as! Self
    }

    /// The route of a workout.
    public class func workoutRoute() -> Self {
        HKObjectType.required(HKWorkoutRouteTypeIdentifier) as HKSeriesType as! Self
    }
}
