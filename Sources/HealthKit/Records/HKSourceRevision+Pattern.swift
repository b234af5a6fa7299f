import HealthModel

extension HKSourceRevision {
    /// The revision as something to look for: the `HKSourceRevisionAny…` constants agree with anything.
    var pattern: RevisionPattern {
        let anySystem = OperatingSystemVersionRecord(HKSourceRevisionAnyOperatingSystem)
        return RevisionPattern(
            source: record.source,
            version: record.version == HKSourceRevisionAnyVersion ? .any : .exactly(record.version),
            productType: record.productType == HKSourceRevisionAnyProductType ? .any : .exactly(record.productType),
            operatingSystemVersion: record.operatingSystemVersion == anySystem
                ? .any : .exactly(record.operatingSystemVersion))
    }
}
