package import Foundation
package import HealthModel

/// The authorization of one application for one type.
package struct TypeAuthorization: Hashable, Sendable, Codable {
    /// One decision of the person.
    package enum Decision: UInt8, Hashable, Sendable, Codable {
        /// The person has not been asked or has not answered.
        case notDetermined = 0
        /// The person denied access.
        case denied = 1
        /// The person granted access.
        case authorized = 2
    }

    /// Whether the application may write samples of the type.
    package var share: Decision
    /// Whether the application may read samples of other applications.
    package var read: Decision
    /// The start of the history that may be read, in seconds since 2001, if ``read`` is authorized: samples that end
    /// before it are left out. `nil` for all history.
    package var earliest: Double?

    /// Creates a pair of decisions, not determined by default.
    package init(
        share: Decision = .notDetermined, read: Decision = .notDetermined, earliest: Double? = nil
    ) {
        self.share = share
        self.read = read
        self.earliest = earliest
    }

    /// The start of the history that the person limited reading to; `nil` for all history or none.
    package var limit: Double? { read == .authorized ? earliest : nil }

    /// Whether the application may save and delete: a type that was requested for reading only may not be shared.
    var sharing: Decision { share == .notDetermined && read != .notDetermined ? .denied : share }

    /// The samples that queries return under this decision; `nil` if the application never asked for the type,
    /// neither to read nor to share it.
    ///
    /// | read | share | scope |
    /// |---|---|---|
    /// | authorized | any | everything, or what ends at or after ``limit`` |
    /// | not authorized | authorized | own samples |
    /// | not authorized | denied | nothing |
    /// | denied | not determined | nothing |
    /// | not determined | not determined | `nil` |
    var readScope: ReadScope? {
        switch (read, share) {
        case (.authorized, _): limit.map { .picked(.end(.greaterThanOrEqual, $0), withOwn: false) } ?? .everything
        case (_, .authorized): .ownOnly
        case (.notDetermined, .notDetermined): nil
        default: .nothing
        }
    }
}

/// How much of a type an application can read. Samples outside the scope are left out without an error.
package enum ReadScope: Hashable, Sendable {
    /// Samples of every source.
    case everything
    /// Only samples the application saved itself.
    case ownOnly
    /// Only samples that the person selected, singly or by a limited history, and, with `withOwn`, those the
    /// application saved itself.
    case picked(SampleFilter, withOwn: Bool)
    /// No samples.
    case nothing

    /// The same as a condition.
    var filter: SampleFilter {
        switch self {
        case .everything: .all
        case .ownOnly: .ownSource
        case .picked(let picked, let withOwn): withOwn ? .or([.ownSource, picked]) : picked
        case .nothing: .nothing
        }
    }

    /// Returns what is within this scope or another one.
    func union(_ other: ReadScope) -> ReadScope {
        switch (self, other) {
        case (.everything, _), (_, .everything): .everything
        case (.nothing, let scope), (let scope, .nothing): scope
        case (.ownOnly, .ownOnly): .ownOnly
        case (.ownOnly, .picked(let filter, _)), (.picked(let filter, _), .ownOnly): .picked(filter, withOwn: true)
        case (.picked(let one, let withOwn), .picked(let two, let andOwn)):
            .picked(one == two ? one : .or([one, two]), withOwn: withOwn || andOwn)
        }
    }
}

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
