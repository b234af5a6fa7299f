import HealthModel
import Synchronization

/// Whether a quantity's unit fits its type. Verdicts are kept, because the same few units come again
/// with every sample.
enum UnitValidation {
    private struct Question: Hashable {
        var canonical: String
        var unit: String
    }

    private static let verdicts = Mutex<[Question: Bool]>([:])

    /// Types outside the catalog take any unit.
    static func validate(_ unit: String, description: TypeDescription) throws(ValidationError) {
        guard let canonical = description.canonicalUnit, unit != canonical else { return }
        let question = Question(canonical: canonical, unit: unit)
        let isCompatible: Bool
        if let known = verdicts.withLock({ $0[question] }) {
            isCompatible = known
        } else {
            isCompatible = compare(question)
            // Units come from outside; a flood of wrong ones must not be kept for ever.
            verdicts.withLock { verdicts in
                if verdicts.count > 10_000 { verdicts.removeAll() }
                verdicts[question] = isCompatible
            }
        }
        guard !isCompatible else { return }
        throw ValidationError(
            .unit,
            reason: "\(description.identifier) requires unit of type \(dimensionName(of: canonical)). Incompatible unit: "
                + (unit.isEmpty ? "(null)" : unit))
    }

    private static func compare(_ question: Question) -> Bool {
        guard !question.unit.isEmpty,
            let canonical = try? UnitExpression(parsing: question.canonical),
            let given = try? UnitExpression(parsing: question.unit)
        else { return false }
        return given.isCompatible(with: canonical)
    }

    /// The name of a unit's dimension, such as `Mass` or `Length/Time`.
    private static func dimensionName(of unit: String) -> String {
        guard let expression = try? UnitExpression(parsing: unit) else { return unit }
        var above: [String] = []
        var below: [String] = []
        for factor in expression.factors {
            let name = factor.atom.kind.dimensionName
            let power = factor.exponent.magnitude
            let text = power == 1 ? name : "\(name)^\(power)"
            if factor.exponent > 0 { above.append(text) } else { below.append(text) }
        }
        let numerator = above.isEmpty ? "1" : above.joined(separator: "·")
        return below.isEmpty ? numerator : numerator + "/" + below.joined(separator: "·")
    }
}

extension UnitKind {
    /// What the unit measures, in the original's capitalised words.
    fileprivate var dimensionName: String {
        switch self {
        case .gram, .ounce, .pound, .stone, .molarMass: "Mass"
        case .meter, .inch, .foot, .yard, .mile: "Length"
        case .liter, .fluidOunceUS, .fluidOunceImperial, .cupUS, .cupImperial, .pintUS, .pintImperial:
            "Volume"
        case .second, .minute, .hour, .day: "Time"
        case .degreeCelsius, .degreeFahrenheit, .kelvin: "Temperature"
        case .pascal, .millimeterOfMercury, .inchesOfMercury, .centimeterOfWater, .atmosphere: "Pressure"
        case .joule, .kilocalorie, .largeCalorie, .smallCalorie: "Energy"
        case .siemens: "Conductance"
        case .hertz: "Frequency"
        case .volt: "ElectricPotentialDifference"
        case .watt: "Power"
        case .lux: "Illuminance"
        case .radian, .degreeAngle: "Angle"
        case .diopter: "Diopter"
        case .prismDiopter: "PrismDiopter"
        case .decibelAWeightedSoundPressureLevel: "SoundPressureLevel"
        case .decibelHearingLevel: "HearingSensitivity"
        case .internationalUnit: "Pharmacology"
        case .appleEffortScore: "AppleEffortScore"
        case .mole: "AmountOfSubstance"
        case .percent, .count: "Count"
        }
    }
}
