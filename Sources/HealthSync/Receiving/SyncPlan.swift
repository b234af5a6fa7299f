public import HealthKit

/// The types of a server or a seed that a sync can write, and the reasons for leaving out the others.
public struct SyncPlan: Hashable, Sendable {
    /// Why a type isn't written.
    public enum Reason: String, Hashable, Sendable, CustomStringConvertible {
        /// Only the system writes the type.
        case system = "Apps can’t write this type."
        /// HealthSync doesn't write objects of this kind, such as electrocardiograms and routes.
        case unsupported = "HealthSync doesn’t write objects of this kind."
        /// The system doesn't know the type.
        case unknown = "This system doesn’t know the type."
        /// The person has not been asked.
        case undecided = "The person hasn’t been asked for permission."
        /// The person has refused.
        case denied = "The person doesn’t permit it."

        /// The reason as a sentence.
        public var description: String { rawValue }
    }

    /// The types that are written, with permission.
    public private(set) var types: Set<HKSampleType> = []
    /// The types to ask for, which are there and which an app can write.
    public private(set) var requested: Set<HKSampleType> = []
    /// The identifiers of the types that are there and aren't written, with the reason.
    public private(set) var leftOut: [String: Reason] = [:]

    /// Plans what to write of the types with these identifiers. A correlation is permitted with the types of its
    /// objects, so it isn't asked for.
    init(_ identifiers: some Sequence<String>, in store: HKHealthStore) {
        for identifier in identifiers {
            guard let type = SyncTypes.named[identifier] else {
                leftOut[identifier] = .unknown
                continue
            }
            if let reason = SyncTypes.reasonNotToWrite(type) {
                leftOut[identifier] = reason
                continue
            }
            guard !(type is HKCorrelationType) else {
                types.insert(type)
                continue
            }
            requested.insert(type)
            switch store.authorizationStatus(for: type) {
            case .sharingAuthorized: types.insert(type)
            case .sharingDenied: leftOut[identifier] = .denied
            default: leftOut[identifier] = .undecided
            }
        }
    }

    /// Asks the person for permission to write what is there. HealthKit shows nothing if every type is decided.
    func requestAuthorization(in store: HKHealthStore) async throws {
        guard !requested.isEmpty else { return }
        try await store.requestAuthorization(toShare: requested, read: [])
    }
}

extension SyncTypes {
    /// The sample types that the running system knows, by identifier.
    static let named: [String: HKSampleType] = Dictionary(
        uniqueKeysWithValues: all.union(clinical).map { ($0.identifier, $0) })

    /// Why samples of a type aren't written; `nil` if they are.
    static func reasonNotToWrite(_ type: HKSampleType) -> SyncPlan.Reason? {
        if readOnly.contains(type.identifier) { return .system }
        switch type {
        case is HKQuantityType, is HKCategoryType, is HKCorrelationType, is HKWorkoutType: return nil
        default:
            if #available(iOS 18.0, watchOS 11.0, *), type is HKStateOfMindType { return nil }
            return .unsupported
        }
    }

    /// The types that apps can't write, with those of which that is likely: HealthKit ends a program that asks for
    /// permission to write one, so that a type too many costs less than one too few.
    private static let readOnly = Set(
        words(systemTypes) + [
            "HKQuantityTypeIdentifierAppleSleepingBreathingDisturbances",
            "HKQuantityTypeIdentifierEstimatedWorkoutEffortScore", "HKQuantityTypeIdentifierNikeFuel",
            "HKCategoryTypeIdentifierAppleWalkingSteadinessEvent", "HKCategoryTypeIdentifierAudioExposureEvent",
            "HKCategoryTypeIdentifierIrregularHeartRhythmEvent", "HKCategoryTypeIdentifierLowCardioFitnessEvent",
            "HKCategoryTypeIdentifierSleepApneaEvent",
        ])
}
