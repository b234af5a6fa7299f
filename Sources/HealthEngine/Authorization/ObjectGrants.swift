public import Foundation
import HealthModel

/// Which objects of one type a person lets an application read, one by one: by identity, and by what a field
/// of theirs says (doses are read with the medications they are of).
public struct ObjectGrants: Hashable, Sendable, Codable {
    /// Identities of the objects that may be read.
    public var objects: Set<UUID>
    /// Allowed values by field of the objects' documents.
    public var fields: [String: Set<String>]

    /// Makes the grants of one type; without any, none of its objects may be read.
    public init(objects: Set<UUID> = [], fields: [String: Set<String>] = [:]) {
        self.objects = objects
        self.fields = fields
    }

    /// The objects it lets through.
    var filter: SampleFilter {
        var parts: [SampleFilter] = objects.isEmpty ? [] : [.uuid(objects)]
        for (field, values) in fields.sorted(by: { $0.key < $1.key }) {
            parts += values.sorted().map { .field(field, .equal, .string($0)) }
        }
        return parts.isEmpty ? .nothing : .or(parts)
    }

    var isEmpty: Bool { objects.isEmpty && fields.values.allSatisfy(\.isEmpty) }

    /// Takes away what was asked again, and adds what was granted of it.
    mutating func decide(asked: ObjectGrants, granted: ObjectGrants) {
        objects = objects.subtracting(asked.objects).union(granted.objects)
        for field in Set(asked.fields.keys).union(granted.fields.keys) {
            let kept = fields[field, default: []].subtracting(asked.fields[field, default: []])
            fields[field] = kept.union(granted.fields[field, default: []])
        }
    }
}
