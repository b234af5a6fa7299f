/// Which unit each measure of a lens must be told in.
enum VisionUnits {
    /// The number of a quantity.
    ///
    /// - Throws: for another unit, and for a number that is not finite.
    static func value(
        of quantity: HKQuantity, in unit: HKUnit, named name: String
    ) throws(ObjectRefusal) -> Double {
        guard let value = try? quantity.validatedValue(for: unit) else {
            throw ObjectRefusal(
                reason: "The \(name) of a lens requires unit \(unit.unitString), not \(quantity.unit.unitString)")
        }
        guard value.isFinite else {
            throw ObjectRefusal(reason: "The \(name) of a lens must be finite")
        }
        return value
    }

    /// Checks a quantity that may be missing.
    static func check(_ quantity: HKQuantity?, in unit: HKUnit, named name: String) throws(ObjectRefusal) {
        guard let quantity else { return }
        _ = try value(of: quantity, in: unit, named: name)
    }
}
