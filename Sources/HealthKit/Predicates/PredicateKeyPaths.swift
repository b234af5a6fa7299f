import Foundation
import HealthModel

/// Creates an expression for a Swift key path of the evaluated object, such as
/// `\HKObject.device?.localIdentifier`.
///
/// A key path that no predicate can contain ends the process.
public func NSExpression<Root: HKObject, Value>(forKeyPath keyPath: KeyPath<Root, Value>) -> PredicateOperandExpression
{
    guard let parts = PredicateKeyPaths.parts(of: keyPath) else {
        ProgrammerError.raise(
            "A predicate cannot contain this key path of \(Root.self); use a predicate key path of HealthKit")
    }
    return PredicateOperandExpression(operand: .keyPath(parts))
}

/// The predicate key paths of Swift key paths.
enum PredicateKeyPaths {
    /// The parts of the predicate key path; `nil` for a property that predicates do not know.
    ///
    /// A key path contains the class it was written for, so there is an entry for each class that has subclasses, and
    /// for those that are queried most.
    static func parts(of keyPath: AnyKeyPath) -> [String]? {
        names[keyPath] ?? sortIdentifier(of: keyPath).map { [$0] }
    }

    /// The device properties of one class, and the properties of every object.
    private static func add<Object: HKObject>(_ type: Object.Type, to names: inout [AnyKeyPath: [String]]) {
        names[\Object.uuid] = [HKPredicateKeyPathUUID]
        names[\Object.device] = [HKPredicateKeyPathDevice]
        names[\Object.source] = [HKPredicateKeyPathSource]
        names[\Object.sourceRevision] = [HKPredicateKeyPathSourceRevision]
        names[\Object.sourceRevision.version] = [HKPredicateKeyPathSourceRevision, "version"]
        names[\Object.sourceRevision.productType] = [HKPredicateKeyPathSourceRevision, "productType"]
        names[\Object.sourceRevision.operatingSystemVersion] = [
            HKPredicateKeyPathSourceRevision, "operatingSystemVersion",
        ]
        let properties: [(KeyPath<HKDevice?, String?>, DeviceProperty)] = [
            (\.?.name, .name), (\.?.manufacturer, .manufacturer), (\.?.model, .model),
            (\.?.hardwareVersion, .hardwareVersion), (\.?.firmwareVersion, .firmwareVersion),
            (\.?.softwareVersion, .softwareVersion), (\.?.localIdentifier, .localIdentifier),
            (\.?.udiDeviceIdentifier, .udiDeviceIdentifier),
        ]
        for (path, property) in properties {
            names[(\Object.device).appending(path: path)] = [HKPredicateKeyPathDevice, property.rawValue]
        }
    }

    // Key paths are not Sendable, but these are constants.
    private nonisolated(unsafe) static let names: [AnyKeyPath: [String]] = {
        var names: [AnyKeyPath: [String]] = [
            \HKQuantitySample.quantity: [HKPredicateKeyPathQuantity],
            \HKQuantitySample.count: [HKPredicateKeyPathCount],
            \HKCategorySample.value: [HKPredicateKeyPathCategoryValue],
            \HKCumulativeQuantitySample.sumQuantity: [HKPredicateKeyPathSum],
            \HKDiscreteQuantitySample.minimumQuantity: [HKPredicateKeyPathMin],
            \HKDiscreteQuantitySample.maximumQuantity: [HKPredicateKeyPathMax],
            \HKDiscreteQuantitySample.averageQuantity: [HKPredicateKeyPathAverage],
            \HKDiscreteQuantitySample.mostRecentQuantity: [HKPredicateKeyPathMostRecent],
            \HKWorkout.workoutActivityType: [HKPredicateKeyPathWorkoutType],
            \HKElectrocardiogram.classification: [HKPredicateKeyPathECGClassification],
            \HKElectrocardiogram.symptomsStatus: [HKPredicateKeyPathECGSymptomsStatus],
            \HKElectrocardiogram.averageHeartRate: [HKPredicateKeyPathAverageHeartRate],
        ]
        add(HKObject.self, to: &names)
        add(HKSample.self, to: &names)
        add(HKQuantitySample.self, to: &names)
        add(HKCategorySample.self, to: &names)
        add(HKCorrelation.self, to: &names)
        add(HKWorkout.self, to: &names)
        return names
    }()

    /// The sort identifier of a Swift key path.
    ///
    /// A key path contains the class it was written for, so there is an entry for each class.
    static func sortIdentifier(of keyPath: AnyKeyPath?) -> String? {
        guard let keyPath else { return nil }
        return sortIdentifiers[keyPath]
    }

    // Key paths are not Sendable, but these are constants.
    private nonisolated(unsafe) static let sortIdentifiers: [AnyKeyPath: String] = {
        var names: [AnyKeyPath: String] = [:]
        func add<Sample: HKSample>(_ type: Sample.Type) {
            names[\Sample.startDate] = HKSampleSortIdentifierStartDate
            names[\Sample.endDate] = HKSampleSortIdentifierEndDate
        }
        names[\HKWorkout.duration] = HKWorkoutSortIdentifierDuration
        names[\HKWorkout.totalDistance] = HKWorkoutSortIdentifierTotalDistance
        names[\HKWorkout.totalEnergyBurned] = HKWorkoutSortIdentifierTotalEnergyBurned
        names[\HKWorkout.totalSwimmingStrokeCount] = HKWorkoutSortIdentifierTotalSwimmingStrokeCount
        names[\HKWorkout.totalFlightsClimbed] = HKWorkoutSortIdentifierTotalFlightsClimbed
        add(HKSample.self)
        add(HKQuantitySample.self)
        add(HKCumulativeQuantitySample.self)
        add(HKDiscreteQuantitySample.self)
        add(HKCategorySample.self)
        add(HKCorrelation.self)
        add(HKWorkout.self)
        add(HKAudiogramSample.self)
        add(HKCDADocumentSample.self)
        add(HKClinicalRecord.self)
        add(HKContactsPrescription.self)
        add(HKDocumentSample.self)
        add(HKElectrocardiogram.self)
        add(HKGAD7Assessment.self)
        add(HKGlassesPrescription.self)
        add(HKHeartbeatSeriesSample.self)
        add(HKMedicationDoseEvent.self)
        add(HKPHQ9Assessment.self)
        add(HKScoredAssessment.self)
        add(HKSeriesSample.self)
        add(HKStateOfMind.self)
        add(HKVerifiableClinicalRecord.self)
        add(HKVisionPrescription.self)
        add(HKWorkoutRoute.self)
        return names
    }()
}
