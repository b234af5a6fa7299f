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

    private static let meters: [String: Double] = [
        "m": 1, "meter": 1, "meters": 1, "metre": 1, "metres": 1, "km": 1_000, "ft": 0.3048, "feet": 0.3048,
    ]
    private static let millimeters: [String: Double] = [
        "mm": 1, "millimeter": 1, "millimeters": 1, "cm": 10, "centimeter": 10, "centimeters": 10, "m": 1_000,
        "meter": 1_000, "meters": 1_000,
    ]
    private static let speed: [String: Double] = [
        "m/s": 1, "mps": 1, "meters/second": 1, "km/h": 1 / 3.6, "kmh": 1 / 3.6, "kph": 1 / 3.6, "mph": 0.44704,
    ]
    private static let rate: [String: Double] = [
        "bpm": 1, "beats/min": 1, "rpm": 1, "1/min": 1, "breaths/min": 1, "brpm": 1, "br/min": 1,
    ]

    private static let fields: [UInt8: [String: Double]] = [
        FITField.Record.heartRate: rate, FITField.Record.cadence: rate, FITField.Record.respirationRate: rate,
        FITField.Record.enhancedRespirationRate: rate, FITField.Record.distance: meters,
        FITField.Record.altitude: meters, FITField.Record.enhancedAltitude: meters, FITField.Record.depth: meters,
        FITField.Record.speed: speed, FITField.Record.enhancedSpeed: speed,
        FITField.Record.power: ["w": 1, "watt": 1, "watts": 1, "kw": 1_000],
        FITField.Record.verticalOscillation: millimeters, FITField.Record.stepLength: millimeters,
        FITField.Record.stanceTime: ["ms": 1, "millisecond": 1, "milliseconds": 1, "s": 1_000, "seconds": 1_000],
    ]
}
