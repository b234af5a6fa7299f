/// The units that developers write beside their fields, which needn't be those of the profile: Stryd's vertical
/// oscillation is in centimeters, the profile's in millimeters.
enum FITDeveloperUnit {
    /// The factor that converts a number to the unit of a field of the profile; `nil` if that isn't known.
    /// A field without a unit has the profile's.
    static func factor(_ unit: String, of field: UInt8, in message: UInt16) -> Double? {
        let unit = unit.lowercased().filter { !$0.isWhitespace && $0 != "." }
        guard !unit.isEmpty else { return 1 }
        guard message == FITMessageNumber.record else { return nil }
        return fields[field]?[unit]
    }
}
