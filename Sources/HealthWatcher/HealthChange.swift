public import HealthKit

/// What was added and deleted since the last change that was handled.
public struct HealthChange: Sendable {
    /// New samples, in the order they were saved.
    public let addedSamples: [HKSample]
    /// What was deleted; nothing but identity and sync metadata is left of it.
    public let deletedObjects: [HKDeletedObject]
    /// Where the next reading begins once this change is handled.
    let anchor: HKQueryAnchor

    /// The new samples that are quantities.
    public var quantitySamples: [HKQuantitySample] { addedSamples.compactMap { $0 as? HKQuantitySample } }

    /// The new samples that are categories.
    public var categorySamples: [HKCategorySample] { addedSamples.compactMap { $0 as? HKCategorySample } }
}
