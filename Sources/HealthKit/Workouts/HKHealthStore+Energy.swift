import Foundation

extension HKHealthStore {
    /// The parts of a total energy.
    struct EnergyParts: Sendable {
        var resting: HKQuantity
        var active: HKQuantity
    }

    /// Splits a total energy; see ``splitTotalEnergy(_:start:end:resultsHandler:)``.
    func split(_ total: HKQuantity, _ start: Date, _ end: Date) throws -> EnergyParts {
        guard start <= end, total.is(compatibleWith: .kilocalorie()) else {
            throw HKError.make(
                .errorInvalidArgument, "The start date must be at or before the end date, and the total an energy.")
        }
        let reader = try connection.reader()
        let weight = try Self.available { try reader.latestQuantity(of: .bodyMass, before: end) }
        let height = try Self.available { try reader.latestQuantity(of: .height, before: end) }
        let birth = try Self.available { try dateOfBirth() }
        let years = birth.flatMap {
            connection.configuration.calendar.dateComponents([.year], from: $0, to: start).year
        }
        let isMale = try Self.available { try biologicalSex() }?.biologicalSex == .male
        let daily = RestingEnergy.kilocaloriesPerDay(
            kilograms: weight?.doubleValue(for: .gramUnit(with: .kilo)) ?? RestingEnergy.defaultKilograms,
            centimeters: height?.doubleValue(for: .meterUnit(with: .centi)) ?? RestingEnergy.defaultCentimeters,
            years: years ?? RestingEnergy.defaultYears, isMale: isMale)
        let whole = total.doubleValue(for: .kilocalorie())
        let resting = min(max(0, whole), max(0, daily) * end.timeIntervalSince(start) / 86_400)
        return EnergyParts(
            resting: HKQuantity(unit: .kilocalorie(), doubleValue: resting),
            active: HKQuantity(unit: .kilocalorie(), doubleValue: whole - resting))
    }

    /// The value that is read; `nil` if it is not set or may not be read. Other errors are thrown.
    package static func available<Value>(_ read: () throws -> Value) throws -> Value? {
        do {
            return try read()
        } catch {
            let error = HKError.make(error)
            let code = (error as? HKError)?.code
            guard code == .errorNoData || code == .errorAuthorizationNotDetermined else { throw error }
            return nil
        }
    }
}

/// The energy a person burns at rest, after the equations of Harris and Benedict (1919), with coefficients rounded as
/// usual in fitness applications.
enum RestingEnergy {
    /// A person of whom nothing is known. The original's defaults are not published.
    static let defaultKilograms = 70.0
    static let defaultCentimeters = 170.0
    static let defaultYears = 30

    static func kilocaloriesPerDay(
        kilograms: Double, centimeters: Double, years: Int, isMale: Bool
    ) -> Double {
        isMale
            ? 66.0 + 13.8 * kilograms + 5 * centimeters - 6.8 * Double(years)
            : 655.0 + 9.6 * kilograms + 1.8 * centimeters - 4.7 * Double(years)
    }
}
