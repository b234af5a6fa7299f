package import Foundation
import HealthModel

/// The single objects of one type that an application may read, by identity and by the value of a document field
/// (medication doses are authorized with their medications).
package struct ObjectGrants: Hashable, Sendable, Codable {
    /// Identities of the objects that may be read.
    package var objects: Set<UUID>
    /// Allowed values by field of the objects' documents.
    package var fields: [String: Set<String>]

    /// Creates the grants for one type; without any, none of its objects may be read.
    package init(objects: Set<UUID> = [], fields: [String: Set<String>] = [:]) {
        self.objects = objects
        self.fields = fields
    }

    /// Selects the objects that may be read.
    var filter: SampleFilter {
        var parts: [SampleFilter] = objects.isEmpty ? [] : [.uuid(objects)]
        for (field, values) in fields.sorted(by: { $0.key < $1.key }) {
            parts += values.sorted().map { .field(field, .equal, .string($0)) }
        }
        return parts.isEmpty ? .nothing : .or(parts)
    }

    var isEmpty: Bool { objects.isEmpty && fields.values.allSatisfy(\.isEmpty) }

    /// Removes everything in `asked`, then adds what was granted.
    mutating func decide(asked: ObjectGrants, granted: ObjectGrants) {
        objects = objects.subtracting(asked.objects).union(granted.objects)
        for field in Set(asked.fields.keys).union(granted.fields.keys) {
            let retained = fields[field, default: []].subtracting(asked.fields[field, default: []])
            fields[field] = retained.union(granted.fields[field, default: []])
        }
    }
}
