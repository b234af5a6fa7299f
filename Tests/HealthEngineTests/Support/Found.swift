import Foundation
import HealthModel

/// One result of a query with all of its properties, for comparison.
struct Found: Hashable {
    var uuid: UUID?
    var type: TypeCode
    var start: Double
    var end: Double
    var value: Double
    var unit: String
    var revision: SourceRevisionRecord?
    var device: DeviceRecord?
    var metadata: Metadata
    var body = ObjectBody.none
}
