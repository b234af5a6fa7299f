import Foundation
import HealthModel

/// One stored sample or object of the reference model.
struct ReferenceItem {
    /// Position in the order of saving.
    var order: Int
    /// `nil` until the store under test has told the identity it derived.
    var uuid: UUID?
    var type: TypeCode
    var start: Double
    var end: Double
    var value = 0.0
    var unit = ""
    var revision: SourceRevisionRecord
    var device: DeviceRecord?
    var metadata: Metadata
    var body = ObjectBody.none
    var isObject = false
    /// Orders of the objects that own it.
    var owners: Set<Int> = []

    var workout: WorkoutBody? {
        if case .workout(let workout) = body { workout } else { nil }
    }

    var duration: Double { workout?.duration ?? end - start }
}
