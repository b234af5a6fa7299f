extension Array where Element == HKSample {
    /// Those of the samples that are of a class, in their order.
    ///
    /// A full cast costs as much as making a sample; a class that has passed is known again by its address.
    func only<Sample: HKSample>(_ sampleClass: Sample.Type = Sample.self) -> [Sample] {
        var passed: ObjectIdentifier?
        var found: [Sample] = []
        found.reserveCapacity(count)
        for sample in self {
            let own = ObjectIdentifier(type(of: sample))
            if own == passed {
                found.append(unsafeDowncast(sample, to: sampleClass))
            } else if let sample = sample as? Sample {
                passed = own
                found.append(sample)
            }
        }
        return found
    }
}
