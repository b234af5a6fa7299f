import Foundation
import HealthKit
import Testing

@Suite struct HKUnitTests {
    /// Every named unit with its string.
    static let named: [(HKUnit, String)] = [
        (.gram(), "g"), (.ounce(), "oz"), (.pound(), "lb"), (.stone(), "st"), (.meter(), "m"), (.inch(), "in"),
        (.foot(), "ft"),
        (.yard(), "yd"), (.mile(), "mi"), (.liter(), "L"), (.fluidOunceUS(), "fl_oz_us"),
        (.fluidOunceImperial(), "fl_oz_imp"),
        (.cupUS(), "cup_us"), (.cupImperial(), "cup_imp"), (.pintUS(), "pt_us"), (.pintImperial(), "pt_imp"),
        (.pascal(), "Pa"),
        (.millimeterOfMercury(), "mmHg"), (.inchesOfMercury(), "inHg"), (.centimeterOfWater(), "cmAq"),
        (.atmosphere(), "atm"),
        (.second(), "s"), (.minute(), "min"), (.hour(), "hr"), (.day(), "d"), (.joule(), "J"), (.kilocalorie(), "kcal"),
        (.largeCalorie(), "Cal"), (.smallCalorie(), "cal"), (.calorie(), "cal"), (.degreeCelsius(), "degC"),
        (.degreeFahrenheit(), "degF"), (.kelvin(), "K"), (.siemen(), "S"), (.hertz(), "Hz"), (.volt(), "V"),
        (.watt(), "W"),
        (.lux(), "lx"), (.radianAngle(), "rad"), (.degreeAngle(), "deg"), (.diopter(), "D"), (.prismDiopter(), "pD"),
        (.decibelAWeightedSoundPressureLevel(), "dBASPL"), (.decibelHearingLevel(), "dBHL"),
        (.internationalUnit(), "IU"),
        (.appleEffortScore(), "appleEffortScore"), (.count(), "count"), (.percent(), "%"),
    ]

    @Test func namedUnitsAreTheIdenticalObjectAsTheirStrings() {
        for (unit, string) in HKUnitTests.named {
            #expect(unit.unitString == string)
            #expect(unit.description == string)
            #expect(HKUnit(from: string) === unit)
        }
        #expect(HKUnit.meter() === HKUnit.meter())
        #expect(HKUnit.gramUnit(with: .kilo) === HKUnit(from: "kg"))
        #expect(HKUnit(from: "(m)") === HKUnit.meter())
        #expect(HKUnit.meter().unitRaised(toPower: 1) === HKUnit.meter())
        #expect(HKUnit.calorie() === HKUnit.smallCalorie())
    }

    @Test func prefixes() {
        let families: [((HKMetricPrefix) -> HKUnit, String)] = [
            ({ .gramUnit(with: $0) }, "g"), ({ .meterUnit(with: $0) }, "m"), ({ .literUnit(with: $0) }, "L"),
            ({ .pascalUnit(with: $0) }, "Pa"),
            ({ .secondUnit(with: $0) }, "s"), ({ .jouleUnit(with: $0) }, "J"), ({ .siemenUnit(with: $0) }, "S"),
            ({ .hertzUnit(with: $0) }, "Hz"),
            ({ .voltUnit(with: $0) }, "V"), ({ .wattUnit(with: $0) }, "W"), ({ .radianAngleUnit(with: $0) }, "rad"),
            ({ .luxUnit(with: $0) }, "lx"),
            ({ .moleUnit(with: $0, molarMass: 18.02) }, "mol<18.02>"),
        ]
        let letters: [(HKMetricPrefix, String)] = [
            (.none, ""), (.femto, "f"), (.pico, "p"), (.nano, "n"), (.micro, "mc"), (.milli, "m"), (.centi, "c"),
            (.deci, "d"), (.deca, "da"),
            (.hecto, "h"), (.kilo, "k"), (.mega, "M"), (.giga, "G"), (.tera, "T"),
        ]
        for (make, symbol) in families {
            for (prefix, letter) in letters {
                #expect(make(prefix).unitString == letter + symbol)
                #expect(HKUnit(from: letter + symbol) === make(prefix))
            }
        }
    }

    @Test func algebra() {
        let rate = HKUnit.count().unitDivided(by: .minute())
        #expect(rate == HKUnit(from: "count/min"))
        #expect(rate.hash == HKUnit(from: "count/min").hash)
        #expect(rate != HKUnit(from: "count/s"))
        #expect(rate.reciprocal().unitString == "min/count")
        #expect(HKUnit.meter().unitMultiplied(by: .meter()) == HKUnit(from: "m^2"))
        #expect(HKUnit.second().unitRaised(toPower: -2).unitString == "1/s^2")
        #expect(HKUnit.meter().unitDivided(by: .meter()).isNull())
        #expect(HKUnit.meter().unitRaised(toPower: 0).isNull())
        #expect(!HKUnit(from: "dL/L").isNull())
        #expect(HKUnit(from: "mL/(kg*min)").unitString == "mL/min·kg")
        let glucose = HKUnit.moleUnit(with: .milli, molarMass: HKUnitMolarMassBloodGlucose).unitDivided(by: .liter())
        #expect(glucose.unitString == "mmol<180.1558800000541>/L")
        #expect(glucose == HKUnit(from: glucose.unitString))
        #expect(HKUnit.moleUnit(withMolarMass: 18.02).unitString == "mol<18.02>")
    }

    @Test func formatterUnits() {
        let energies: [(EnergyFormatter.Unit, String)] = [
            (.joule, "J"), (.kilojoule, "kJ"), (.calorie, "cal"), (.kilocalorie, "kcal"),
        ]
        for (formatted, string) in energies {
            #expect(HKUnit(from: formatted).unitString == string)
            #expect(HKUnit.energyFormatterUnit(from: HKUnit(from: string)) == formatted)
        }
        #expect(HKUnit.energyFormatterUnit(from: .largeCalorie()) == .kilocalorie)
        let lengths: [(LengthFormatter.Unit, String)] = [
            (.millimeter, "mm"), (.centimeter, "cm"), (.meter, "m"), (.kilometer, "km"), (.inch, "in"), (.foot, "ft"),
            (.yard, "yd"), (.mile, "mi"),
        ]
        for (formatted, string) in lengths {
            #expect(HKUnit(from: formatted) === HKUnit(from: string))
            #expect(HKUnit.lengthFormatterUnit(from: HKUnit(from: string)) == formatted)
        }
        let masses: [(MassFormatter.Unit, String)] = [
            (.gram, "g"), (.kilogram, "kg"), (.ounce, "oz"), (.pound, "lb"), (.stone, "st"),
        ]
        for (formatted, string) in masses {
            #expect(HKUnit(from: formatted) === HKUnit(from: string))
            #expect(HKUnit.massFormatterUnit(from: HKUnit(from: string)) == formatted)
        }
    }

    @Test(arguments: ["kg", "mL/min·kg", "mmol<180.1558800000541>/L", "()", "%"])
    func comesBackFromAnArchive(string: String) throws {
        let unit = HKUnit(from: string)
        let data = try NSKeyedArchiver.archivedData(withRootObject: unit, requiringSecureCoding: true)
        let again = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKUnit.self, from: data))
        #expect(again == unit)
        #expect(unit.copy() as? HKUnit === unit)
    }

    @Test func sharingHoldsUnderManyThreads() async {
        let units = await withTaskGroup(of: HKUnit.self, returning: [HKUnit].self) { group in
            for index in 0..<64 {
                group.addTask { index % 2 == 0 ? HKUnit(from: "mcS") : .siemenUnit(with: .micro) }
            }
            return await group.reduce(into: []) { $0.append($1) }
        }
        #expect(units.allSatisfy { $0 === units[0] })
    }
}
