public import Foundation
import HealthModel
import Synchronization

/// The activity of a workout session, and where it takes place. Unlike the objects of a store it can
/// be changed, from any thread.
// Unchecked: all state is in a Mutex; the compiler checks only final classes.
open class HKWorkoutConfiguration: _ValueObject, @unchecked Sendable {
    /// The properties as plain values. Archives contain them under these names.
    struct Settings: Hashable, Codable {
        /// Raw value of the activity type; 3000 (other) by default.
        var activityType: UInt = 3000
        /// Raw value of the location type; 1 (unknown) by default.
        var locationType = 1
        /// Raw value of the swimming location type; 0 (unknown) by default.
        var swimmingLocationType = 0
        var lapLength: QuantityRecord?
    }

    private let state: Mutex<Settings>

    /// Creates a configuration of another activity at an unknown location.
    public override init() {
        state = Mutex(Settings())
    }

    init(_ settings: Settings) {
        state = Mutex(settings)
    }

    /// All properties at one moment.
    final var settings: Settings { state.withLock { $0 } }

    /// The type of activity.
    open var activityType: HKWorkoutActivityType {
        get { HKWorkoutActivityType(rawValue: settings.activityType) ?? .other }
        set { state.withLock { $0.activityType = newValue.rawValue } }
    }

    /// Whether the activity takes place indoors or outdoors.
    open var locationType: HKWorkoutSessionLocationType {
        get { HKWorkoutSessionLocationType(rawValue: settings.locationType) ?? .unknown }
        set { state.withLock { $0.locationType = newValue.rawValue } }
    }

    /// Whether a swim takes place in a pool or in open water.
    open var swimmingLocationType: HKWorkoutSwimmingLocationType {
        get { HKWorkoutSwimmingLocationType(rawValue: settings.swimmingLocationType) ?? .unknown }
        set { state.withLock { $0.swimmingLocationType = newValue.rawValue } }
    }

    /// The length of the pool.
    open var lapLength: HKQuantity? {
        get { settings.lapLength.flatMap { HKQuantity($0) } }
        set {
            let record = newValue?.record
            state.withLock { $0.lapLength = record }
        }
    }

    open override func copy(with zone: NSZone? = nil) -> Any { HKWorkoutConfiguration(settings) }

    public required init?(coder: NSCoder) {
        guard let settings = SecureRecord.decode(Settings.self, from: coder) else { return nil }
        state = Mutex(settings)
    }

    override var archivedRecord: any Codable & Hashable { settings }

    open override var description: String {
        let settings = settings
        return "<HKWorkoutConfiguration activity \(settings.activityType), location \(settings.locationType)>"
    }
}
