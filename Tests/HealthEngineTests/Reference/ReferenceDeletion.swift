import Foundation
import HealthModel

/// One deletion of the reference model.
struct ReferenceDeletion: Hashable {
    var order: Int
    var type: TypeCode
    var uuid: UUID?
    var syncIdentifier: String?
    var syncVersion: Double?
}
