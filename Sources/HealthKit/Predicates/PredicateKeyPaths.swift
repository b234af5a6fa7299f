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
        if let property = properties[keyPath] { return [HKPredicateKeyPathDevice, property.rawValue] }
        return (names[keyPath] ?? SortTranslation.name(of: keyPath)).map { [$0] }
    }

    // Key paths are not Sendable, but these are constants.
    private nonisolated(unsafe) static let properties: [AnyKeyPath: HKDevice.Property] = {
        var properties: [AnyKeyPath: HKDevice.Property] = [:]
        properties[\HKObject.device?.name] = .name
        properties[\HKObject.device?.manufacturer] = .manufacturer
        properties[\HKObject.device?.model] = .model
        properties[\HKObject.device?.hardwareVersion] = .hardwareVersion
        properties[\HKObject.device?.firmwareVersion] = .firmwareVersion
        properties[\HKObject.device?.softwareVersion] = .softwareVersion
        properties[\HKObject.device?.localIdentifier] = .localIdentifier
        properties[\HKObject.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        properties[\HKSample.device?.name] = .name
        properties[\HKSample.device?.manufacturer] = .manufacturer
        properties[\HKSample.device?.model] = .model
        properties[\HKSample.device?.hardwareVersion] = .hardwareVersion
        properties[\HKSample.device?.firmwareVersion] = .firmwareVersion
        properties[\HKSample.device?.softwareVersion] = .softwareVersion
        properties[\HKSample.device?.localIdentifier] = .localIdentifier
        properties[\HKSample.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        properties[\HKQuantitySample.device?.name] = .name
        properties[\HKQuantitySample.device?.manufacturer] = .manufacturer
        properties[\HKQuantitySample.device?.model] = .model
        properties[\HKQuantitySample.device?.hardwareVersion] = .hardwareVersion
        properties[\HKQuantitySample.device?.firmwareVersion] = .firmwareVersion
        properties[\HKQuantitySample.device?.softwareVersion] = .softwareVersion
        properties[\HKQuantitySample.device?.localIdentifier] = .localIdentifier
        properties[\HKQuantitySample.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        properties[\HKCategorySample.device?.name] = .name
        properties[\HKCategorySample.device?.manufacturer] = .manufacturer
        properties[\HKCategorySample.device?.model] = .model
        properties[\HKCategorySample.device?.hardwareVersion] = .hardwareVersion
        properties[\HKCategorySample.device?.firmwareVersion] = .firmwareVersion
        properties[\HKCategorySample.device?.softwareVersion] = .softwareVersion
        properties[\HKCategorySample.device?.localIdentifier] = .localIdentifier
        properties[\HKCategorySample.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        properties[\HKCorrelation.device?.name] = .name
        properties[\HKCorrelation.device?.manufacturer] = .manufacturer
        properties[\HKCorrelation.device?.model] = .model
        properties[\HKCorrelation.device?.hardwareVersion] = .hardwareVersion
        properties[\HKCorrelation.device?.firmwareVersion] = .firmwareVersion
        properties[\HKCorrelation.device?.softwareVersion] = .softwareVersion
        properties[\HKCorrelation.device?.localIdentifier] = .localIdentifier
        properties[\HKCorrelation.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        properties[\HKWorkout.device?.name] = .name
        properties[\HKWorkout.device?.manufacturer] = .manufacturer
        properties[\HKWorkout.device?.model] = .model
        properties[\HKWorkout.device?.hardwareVersion] = .hardwareVersion
        properties[\HKWorkout.device?.firmwareVersion] = .firmwareVersion
        properties[\HKWorkout.device?.softwareVersion] = .softwareVersion
        properties[\HKWorkout.device?.localIdentifier] = .localIdentifier
        properties[\HKWorkout.device?.udiDeviceIdentifier] = .udiDeviceIdentifier
        return properties
    }()

    private nonisolated(unsafe) static let names: [AnyKeyPath: String] = {
        var names: [AnyKeyPath: String] = [:]
        names[\HKObject.uuid] = HKPredicateKeyPathUUID
        names[\HKObject.device] = HKPredicateKeyPathDevice
        names[\HKObject.source] = HKPredicateKeyPathSource
        names[\HKObject.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKSample.uuid] = HKPredicateKeyPathUUID
        names[\HKSample.device] = HKPredicateKeyPathDevice
        names[\HKSample.source] = HKPredicateKeyPathSource
        names[\HKSample.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKQuantitySample.uuid] = HKPredicateKeyPathUUID
        names[\HKQuantitySample.device] = HKPredicateKeyPathDevice
        names[\HKQuantitySample.source] = HKPredicateKeyPathSource
        names[\HKQuantitySample.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKCategorySample.uuid] = HKPredicateKeyPathUUID
        names[\HKCategorySample.device] = HKPredicateKeyPathDevice
        names[\HKCategorySample.source] = HKPredicateKeyPathSource
        names[\HKCategorySample.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKCorrelation.uuid] = HKPredicateKeyPathUUID
        names[\HKCorrelation.device] = HKPredicateKeyPathDevice
        names[\HKCorrelation.source] = HKPredicateKeyPathSource
        names[\HKCorrelation.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKWorkout.uuid] = HKPredicateKeyPathUUID
        names[\HKWorkout.device] = HKPredicateKeyPathDevice
        names[\HKWorkout.source] = HKPredicateKeyPathSource
        names[\HKWorkout.sourceRevision] = HKPredicateKeyPathSourceRevision
        names[\HKQuantitySample.quantity] = HKPredicateKeyPathQuantity
        names[\HKQuantitySample.count] = HKPredicateKeyPathCount
        names[\HKCategorySample.value] = HKPredicateKeyPathCategoryValue
        names[\HKCumulativeQuantitySample.sumQuantity] = HKPredicateKeyPathSum
        names[\HKDiscreteQuantitySample.minimumQuantity] = HKPredicateKeyPathMin
        names[\HKDiscreteQuantitySample.maximumQuantity] = HKPredicateKeyPathMax
        names[\HKDiscreteQuantitySample.averageQuantity] = HKPredicateKeyPathAverage
        names[\HKDiscreteQuantitySample.mostRecentQuantity] = HKPredicateKeyPathMostRecent
        names[\HKWorkout.workoutActivityType] = HKPredicateKeyPathWorkoutType
        names[\HKElectrocardiogram.classification] = HKPredicateKeyPathECGClassification
        names[\HKElectrocardiogram.symptomsStatus] = HKPredicateKeyPathECGSymptomsStatus
        names[\HKElectrocardiogram.averageHeartRate] = HKPredicateKeyPathAverageHeartRate
        return names
    }()
}
