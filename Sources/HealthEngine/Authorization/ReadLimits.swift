import HealthModel
import HealthStorage

/// What an application may read of the samples and figures within objects: a correlation or a workout that it may read can
/// consist of types that it may not. Belongs to one snapshot.
final class ReadLimits {
    private let engine: HealthEngine
    private let caller: Caller
    private let snapshot: any StorageSnapshot
    private var scopes: [TypeCode: ReadScope] = [:]

    /// Creates the limits of a caller; `nil` for one that may read everything.
    init?(of caller: Caller, _ engine: HealthEngine, in snapshot: any StorageSnapshot) {
        guard caller.permission == .table else { return nil }
        (self.engine, self.caller, self.snapshot) = (engine, caller, snapshot)
    }

    /// Returns what may be read of a type: nothing if that was never decided.
    func scope(of type: TypeCode) throws -> ReadScope {
        if let known = scopes[type] { return known }
        var scope = ReadScope.nothing
        do {
            scope = try engine.checkRead(type, as: caller, in: snapshot)
        } catch EngineError.authorizationNotDetermined {}
        scopes[type] = scope
        return scope
    }

    /// Returns whether a sample that belongs to an object may be read. A limit of history is one of objects, not of their
    /// parts.
    func includes(_ member: SampleRecord) throws -> Bool {
        switch try scope(of: member.type) {
        case .everything, .picked: true
        case .ownOnly: member.revision.map { isOwn($0.source.bundleIdentifier) } ?? false
        case .nothing: false
        }
    }

    /// Returns a body without the figures of types that may not be read. An application's own objects are as it saved them.
    func visible(_ body: ObjectBody, of revision: SourceRevisionRecord?) throws -> ObjectBody {
        guard case .workout(var workout) = body, revision.map({ isOwn($0.source.bundleIdentifier) }) != true else {
            return body
        }
        func isHidden(_ identifier: String) throws -> Bool {
            guard let type = TypeCatalog.description(for: identifier)?.code else { return true }
            return try [.nothing, .ownOnly].contains(scope(of: type))
        }
        try workout.statistics.removeAll { try isHidden($0.type) }
        try workout.zones.removeAll { try isHidden($0.type) }
        for index in workout.activities.indices {
            try workout.activities[index].statistics.removeAll { try isHidden($0.type) }
        }
        return .workout(workout)
    }

    private func isOwn(_ bundleIdentifier: String) -> Bool { bundleIdentifier == caller.bundleIdentifier }
}
