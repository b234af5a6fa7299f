import HealthEngine
public import HealthKit
import HealthModel

extension TestHealthStore {
    /// Saves objects as another source: what a watch, a scale or the Health application wrote. Types that
    /// applications cannot write are planted too. Observers hear as of any change.
    ///
    /// - Parameter device: the device that measured, in place of the objects' own; `nil` leaves them theirs.
    /// - Throws: `HKError`, as saving does: for an identity that is stored already, and injected faults.
    public func plant(_ objects: [HKObject], from source: TestSource = .watch, device: HKDevice? = nil) throws {
        try store.plant(objects, as: source.record, device: device)
    }

    /// Plants days of rings, as a watch counts them. Goals and figures are read back with
    /// `HKActivitySummaryQuery`; samples of a day win over the figures planted for it.
    public func plant(_ summaries: [HKActivitySummary], from source: TestSource = .watch) throws {
        try store.plant(summaries, as: source.record)
    }

    /// Plants symptoms that a person noted with a planted electrocardiogram of the same source.
    public func plant(
        symptoms: [HKCategorySample], of electrocardiogram: HKElectrocardiogram, from source: TestSource = .watch
    ) async throws {
        let device = store(of: .init(bundleIdentifier: source.bundleIdentifier, name: source.name))
        try await device.associate(symptoms, with: electrocardiogram)
    }

    /// Plants medications of the person. Under ``TestPermission/granted`` all may be read; else the application
    /// must ask for them with `requestPerObjectReadAuthorization`.
    public func plant(_ medications: [HKUserAnnotatedMedication], from source: TestSource = .healthApplication) throws {
        try store.plant(medications, as: source.record)
    }

    /// Sets what the store knows of its person; a field left out is not set.
    public func setCharacteristics(_ characteristics: TestCharacteristics) throws {
        try engine.updateProfile { profile in
            profile.dateOfBirth = characteristics.dateOfBirth.flatMap { date in
                guard let year = date.year, let month = date.month, let day = date.day else { return nil }
                return .init(year: year, month: month, day: day)
            }
            profile.biologicalSex = characteristics.biologicalSex?.rawValue
            profile.bloodType = characteristics.bloodType?.rawValue
            profile.fitzpatrickSkinType = characteristics.fitzpatrickSkinType?.rawValue
            profile.wheelchairUse = characteristics.wheelchairUse?.rawValue
            profile.activityMoveMode = characteristics.activityMoveMode?.rawValue
        }
    }
}
