import Foundation
import HealthEngine
import HealthModel

extension HKHealthStore {
    // MARK: Save

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    @preconcurrency
    public func save(
        _ object: HKObject, withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        save([object], withCompletion: completion)
    }

    /// Saves objects, all or none, in the order given.
    ///
    /// Fails with ``HKError/errorAuthorizationNotDetermined`` or ``HKError/errorAuthorizationDenied``
    /// when one of the types may not be written, and with ``HKError/errorInvalidArgument`` when an
    /// object is stored already. An object whose sync identifier is stored in the same or a newer
    /// version is passed over.
    @preconcurrency
    public func save(
        _ objects: [HKObject], withCompletion completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let caller = connection.caller
        connection.perform(.writing) {
            _ = try $0.save(RecordEncoder.items(objects), as: caller)
        } completion: {
            completion($0.isSuccess, $0.error)
        }
    }

    /// Saves an object. See ``save(_:withCompletion:)-([HKObject],_)``.
    public func save(_ object: HKObject) async throws {
        try await save([object])
    }

    /// Saves objects, all or none. See ``save(_:withCompletion:)-([HKObject],_)``.
    public func save(_ objects: [HKObject]) async throws {
        let caller = connection.caller
        let isBrief = objects.count <= Self.briefCount && objects.allSatisfy { !($0 is HKCorrelation) }
        try await connection.write(isBrief: isBrief) {
            _ = try $0.save(RecordEncoder.items(objects), as: caller, waiting: $1)
        }
    }

    /// As many objects are saved in about the time that two changes of thread take.
    private static let briefCount = 8

    // MARK: Samples of a workout

    /// Associates samples with a workout that was saved before. Samples that were not are saved,
    /// without a device.
    @preconcurrency
    public func add(
        _ samples: [HKSample], to workout: HKWorkout,
        completion: @escaping @Sendable (Bool, (any Error)?) -> Void
    ) {
        let caller = connection.caller
        connection.perform(.writing) {
            try $0.addMembers(Self.members(samples), toObject: workout.uuid, as: caller)
        } completion: {
            completion($0.isSuccess, $0.error)
        }
    }

    /// Associates samples with a workout. See ``add(_:to:completion:)``.
    public func addSamples(_ samples: [HKSample], to workout: HKWorkout) async throws {
        let caller = connection.caller
        try await connection.perform(.writing) {
            try $0.addMembers(Self.members(samples), toObject: workout.uuid, as: caller)
        }
    }

    private static func members(_ samples: [HKSample]) throws -> [SampleRecord] {
        try RecordEncoder.items(samples).map { item in
            guard case .sample(let record) = item else {
                throw EngineError.invalidArgument(
                    "Only quantity and category samples can be added to a workout.")
            }
            return record
        }
    }
}
