import HealthModel
import Testing

@Suite struct UnitConversionTests {
    /// The exact number of the right unit in one of the left, as in the original.
    static let constants: [(String, Double, String)] = [
        ("oz", 28.349523125, "g"), ("lb", 453.59237, "g"), ("st", 6350.29318, "g"), ("in", 0.0254, "m"),
        ("ft", 0.3048, "m"),
        ("yd", 0.9144, "m"), ("mi", 1609.344, "m"), ("fl_oz_us", 0.0295735295625, "L"),
        ("fl_oz_imp", 0.0284130625, "L"),
        ("cup_us", 0.2365882365, "L"), ("cup_imp", 0.284130625, "L"), ("pt_us", 0.473176473, "L"),
        ("pt_imp", 0.56826125, "L"),
        ("mmHg", 133.322387415, "Pa"), ("inHg", 3386.38816, "Pa"), ("cmAq", 98.0665, "Pa"), ("atm", 101325, "Pa"),
        ("min", 60, "s"), ("hr", 3600, "s"), ("d", 86400, "s"), ("cal", 4.184, "J"), ("kcal", 4184, "J"),
        ("Cal", 4184, "J"),
        ("m^3", 1000, "L"), ("%", 1, "count"), ("Cal", 1, "kcal"), ("kcal", 1000, "cal"), ("kg", 1000, "g"),
        ("mg/dL", 0.01, "g/L"), ("km/hr", 1 / 3.6, "m/s"), ("count/min", 1.0 / 60, "count/s"), ("Hz", 1, "count/s"),
    ]

    @Test(arguments: constants)
    func constant(unit: String, factor: Double, base: String) throws {
        let from = try UnitExpression(parsing: unit)
        let to = try UnitExpression(parsing: base)
        let converted = try convert(1, unit, base)
        #expect(converted == factor)
        #expect(from.isCompatible(with: to) && to.isCompatible(with: from))
    }

    @Test func prefixes() throws {
        let powers: [(String, Double)] = [
            ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("mc", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1), ("da", 1e1),
            ("h", 1e2),
            ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
        ]
        #expect(powers.count == UnitPrefix.allCases.count - 1)
        for (prefix, factor) in powers {
            for symbol in [
                "g", "m", "L", "l", "Pa", "s", "J", "K", "S", "mol<12>", "Hz", "V", "W", "rad", "lx", "IU", "mol",
            ] {
                let converted = try convert(1, prefix + symbol, symbol)
                #expect(abs(converted - factor) <= factor.ulp, "\(prefix)\(symbol)")
            }
        }
    }

    @Test(
        arguments: [
            (98.6, "degF", "degC", 37.0), (37, "degC", "degF", 98.6), (212, "degF", "degC", 100),
            (32, "degF", "degC", 0),
            (-40, "degC", "degF", -40),
            (0, "degC", "K", 273.15), (273.15, "K", "degC", 0), (-459.67, "degF", "K", 0), (0, "K", "degF", -459.67),
            (0, "degC", "mK", 273_150), (273_150, "mK", "degC", 0), (1, "kK", "K", 1000), (1000, "mK", "K", 1),
            (0.27315, "kK", "degC", 0),
            (1.1, "degC·m", "degF·m", 1.98), (1, "K^2", "degC^2", 1),
            (5, "mi", "km", 8.04672), (26.2, "mi", "m", 42164.8128), (72, "in", "cm", 182.88),
            (1, "%/m", "count/ft", 0.3048), (10, "m^2·in", "L", 254), (2, "m·km·mm", "L", 2000),
            (2, "mol<18.02>", "g", 36.04),
            (0.5, "%", "count", 0.5), (3, "count^2", "%", 3), (500, "kcal", "J", 2_092_000), (180, "deg", "rad", .pi),
            (1, "d", "min", 1440),
        ] as [(Double, String, String, Double)])
    func example(value: Double, from: String, to: String, expected: Double) throws {
        let converted = try convert(value, from, to)
        #expect(converted == expected)
    }

    /// Results to the last bit, calculated apart from the module: the value times the size of its unit, divided by the
    /// size of the other; in a compound unit, symbol by symbol.
    @Test(
        arguments: [
            (100, "mg/dL", "mmol<180.15588000005408>/L", 0x401633f77161ff3c),  // 5.550748607260001
            (5.5, "mmol<180.15588000005408>/L", "mg/dL", 0x4058c57caa75921d),  // 99.08573400002975
            (7.8, "mmol<180.15588000005408>/L", "mg/dL", 0x406190b0d5f64706),  // 140.52158640004217
            (180, "mg/dL", "mmol<180.15588000005408>/L", 0x4023fb91e60b65b6),  // 9.991347493068002
            (0.05, "mg/s·dL", "mg/min·dL", 0x4007ffffffffffff),  // 2.9999999999999996
            (1.7, "mg/min·dL", "mg/s·dL", 0x3f9d0369d0369d05),  // 0.02833333333333334
            (2.3, "mg/min·dL", "mmol<180.15588000005408>/L·min", 0x3fc057663ef840f9),  // 0.12766721796698002
            (0.1, "mmol<180.15588000005408>/L·min", "mg/min·dL", 0x3ffcd32f51fd2c5a),  // 1.801558800000541
            (42.1, "mL/min·kg", "L/min·kg", 0x3fa58e219652bd3d),  // 0.042100000000000005
            (38.7, "mL/min·kg", "mL/s·g", 0x3f4522a6f3f52fc3),  // 0.0006450000000000001
            (3.3, "kcal/hr·kg", "J/s·kg", 0x400eaec33e1f6715),  // 3.8353333333333333
            (72, "count/min", "count/s", 0x3ff3333333333333),  // 1.2
            (1.2, "count/s", "count/min", 0x4052000000000000),  // 72.0
            (0.85, "IU/hr", "mIU/min", 0x402c555555555554),  // 14.166666666666664
            (11.3, "km/hr", "m/s", 0x40091c71c71c71c8),  // 3.1388888888888893
            (6.1, "mi/hr", "km/hr", 0x4023a24d9d41c4c5),  // 9.816998399999997
            (2.78, "m/s", "mi/hr", 0x4018dfee6873d05b),  // 6.2186828919112385
            (1, "L", "mL", 0x408f400000000001),  // 1000.0000000000001
            (250, "mL", "L", 0x3fd0000000000000),  // 0.25
            (330, "mL", "fl_oz_us", 0x402651379f616849),  // 11.158627491608188
            (8, "fl_oz_us", "mL", 0x406d92d2d55a3a09),  // 236.58823650000002
            (1.1, "cup_us", "L", 0x3fd0a7e3490e5c7c),  // 0.26024706015
            (0.7, "pt_imp", "mL", 0x4078dc86a7ef9db3),  // 397.78287500000005
            (1, "m^3", "L", 0x408f400000000000),  // 1000.0
            (61.7, "in^3", "mL", 0x408f98a7a057f9bc),  // 1011.0818488
            (154.3, "lb", "kg", 0x40517f50bc3bec26),  // 69.989302691
            (70.1, "kg", "lb", 0x40635168d2b84e3d),  // 154.5440457915992
            (11.2, "st", "kg", 0x4051c7e3e0f6b690),  // 71.12328361599998
            (3.7, "oz", "g", 0x405a392ac57e23f3),  // 104.89323556250001
            (57, "cm", "m", 0x3fe23d70a3d70a3e),  // 0.5700000000000001
            (1.83, "m", "ft", 0x4018040810204081),  // 6.003937007874016
            (9, "degF/min", "degC/min", 0x4014000000000001),  // 5.000000000000001
            (150, "lb", "kg", 0x4051027c9bc77144),  // 68.03885550000001
            (68.0388555, "kg", "lb", 0x4062bfffffffffff),  // 149.99999999999997
            (5.1, "km", "mi", 0x40095a190b4ce762),  // 3.168993080410403
            (3.1, "mi", "km", 0x4013f4b39ba35f16),  // 4.988966400000001
            (71.3, "in", "cm", 0x4066a34395810624),  // 181.10199999999998
            (321.7, "kcal", "kJ", 0x409507f8a0902de0),  // 1345.9928
            (1234.5, "kJ", "kcal", 0x407270d75f730758),  // 295.0525812619503
            (118.3, "mmHg", "kPa", 0x402f8b489f0a7897),  // 15.7720384311945
            (29.92, "inHg", "mmHg", 0x4087bfbe3e4462cc),  // 759.9678922026301
            (95, "min", "hr", 0x3ff9555555555555),  // 1.5833333333333333
            (0.3, "hr", "min", 0x4032000000000000),  // 18.0
            (41.7, "ms", "s", 0x3fa559b3d07c84b6),  // 0.0417
            (9.3, "in^2", "cm^2", 0x404dfffc115df655),  // 59.99988
            (3.1, "km/hr^2", "m/s^2", 0x3f2f5a23250a7e2b),  // 0.00023919753086419754
            (0.3, "mcg", "mg", 0x3f33a92a30553261),  // 0.0003
            (2.7, "mg/IU·dL", "mmol<180.15588000005408>/L·IU", 0x3fc32ef276715767),  // 0.14987021239602002
            (0.97, "%", "count", 0x3fef0a3d70a3d70a),  // 0.97
        ] as [(Double, String, String, UInt64)])
    func lastBit(value: Double, from: String, to: String, expected: UInt64) throws {
        let converted = try convert(value, from, to)
        #expect(converted.bitPattern == expected, "\(converted), not \(Double(bitPattern: expected))")
    }

    /// A unit written with its factors in another order is the same unit, and converts alike.
    @Test func orderOfFactorsDoesNotMatter() throws {
        let target = try UnitExpression(parsing: "mg/s·dL")
        let spellings = ["mg/min·dL", "mg/dL·min", "mg·dL^-1/min", "mg·min^-1·dL^-1"]
        let conversions = try spellings.map { try UnitExpression(parsing: $0).conversion(to: target) }
        #expect(Set(conversions).count == 1 && conversions[0] != nil)
    }

    /// Units of one size leave values as they are, although multiplying and dividing by 4184 would change some.
    @Test(arguments: [("Cal", "kcal"), ("kcal", "Cal"), ("%", "count"), ("Hz", "count/s"), ("mmol<100>", "dmol<1>")])
    func equalSizes(from: String, to: String) throws {
        let conversion = try #require(UnitExpression(parsing: from).conversion(to: UnitExpression(parsing: to)))
        #expect(conversion.isIdentity)
    }

    /// The exact conversion rounds once, where the original's rounds twice.
    @Test func exactConversion() throws {
        let exact = try #require(UnitExpression(parsing: "cm").exactConversion(to: UnitExpression(parsing: "m")))
        #expect(exact(57) == 0.57)
        #expect(try convert(57, "cm", "m") == 0.57.nextUp)
    }

    @Test func glucose() throws {
        let milligrams = try convert(5.5, "mmol<180.1558800000541>/L", "mg/dL")
        let millimoles = try convert(milligrams, "mg/dL", "mmol<180.1558800000541>/L")
        #expect(abs(milligrams - 99.085734) < 1e-9)
        #expect(abs(millimoles - 5.5) < 1e-15)
    }

    @Test(arguments: [
        ("W", "J/s"), ("%/m", "%/m^2"), ("()", "count"), ("()", "count^2"), ("()", "%"), ("()", "IU"), ("()", "in"),
        ("()", "appleEffortScore"), ("count", "m"), ("mol", "mol<1>"), ("mol", "g"),
        ("g", "m"), ("degC", "degC·m"), ("dBASPL", "dBHL"), ("D", "pD"), ("kcal", "kcal/hr"), ("kg", "kg^2"),
        ("deg", "count"),
    ])
    func incompatible(left: String, right: String) throws {
        let one = try UnitExpression(parsing: left)
        let two = try UnitExpression(parsing: right)
        #expect(!one.isCompatible(with: two) && !two.isCompatible(with: one))
        #expect(one.conversion(to: two) == nil)
    }

    @Test(arguments: [
        ("Gmol", "kmol"), ("mol", "mol"), ("mol<123>", "mol<456>"), ("mol<123>", "lb"), ("dL/L", "count"),
    ])
    func compatible(left: String, right: String) throws {
        #expect(try UnitExpression(parsing: left).isCompatible(with: UnitExpression(parsing: right)))
    }

    @Test func identityKeepsEveryBit() throws {
        let values = [
            0.0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, .pi,
        ]
        for type in TypeCatalog.all {
            guard let text = type.canonicalUnit else { continue }
            let unit = try UnitExpression(parsing: text)
            let conversion = try #require(unit.conversion(to: unit))
            #expect(conversion.isIdentity)
            for value in values {
                let converted = conversion(value)
                #expect(converted.bitPattern == value.bitPattern)
            }
        }
    }

    @Test func negativeZeroStaysNegativeWithoutAnOffset() throws {
        let converted = try convert(-0.0, "km", "mi")
        #expect(converted.bitPattern == (-0.0).bitPattern)
    }

    /// Converting to a random compatible unit and back is accurate to a few units in the last place.
    @Test func roundTrips() throws {
        let seed: UInt64 = 77
        var random = SplitMix(seed: seed)
        let families = [
            ["g", "kg", "lb", "oz", "st", "mol<18.02>", "mcg"], ["m", "km", "mi", "ft", "in", "yd"],
            ["J", "kJ", "kcal", "cal"],
            ["L", "mL", "fl_oz_us", "cup_imp", "m^3", "in^3"], ["Pa", "mmHg", "kPa", "atm", "inHg"],
            ["s", "min", "hr", "d", "ms"],
        ]
        for _ in 0..<2000 {
            let above = families[Int(random.next() % UInt64(families.count))]
            let below = families[Int(random.next() % UInt64(families.count))]
            func pick(_ family: [String]) -> String { family[Int(random.next() % UInt64(family.count))] }
            let power = Int(random.next() % 3) + 1
            let one = try UnitExpression(parsing: "\(pick(above))/(\(pick(below)))^\(power)")
            let two = try UnitExpression(parsing: "\(pick(above))/(\(pick(below)))^\(power)")
            guard one.isNull == two.isNull else { continue }
            let forth = try #require(one.conversion(to: two))
            let back = try #require(two.conversion(to: one))
            let value = Double(random.next() % 1_000_000) / 1000
            let again = back(forth(value))
            #expect(abs(again - value) <= 8 * value.ulp, "seed \(seed), \(one) to \(two)")
        }
    }

    @Test func extremePowersDoNotTrap() throws {
        let huge = try UnitExpression(parsing: "Tm^100000/fl_oz_us^30000")
        _ = huge.conversion(to: try UnitExpression(parsing: "m^10000"))
        // 63360 inches per mile; the 40th power exceeds the exact range and continues in floating point.
        let ratio = try convert(1, "mi^40", "in^40")
        var expected = 1.0
        for _ in 0..<40 { expected *= 63360 }
        #expect(abs(ratio / expected - 1) < 1e-12)
    }

    private func convert(_ value: Double, _ from: String, _ to: String) throws -> Double {
        let conversion = try #require(UnitExpression(parsing: from).conversion(to: UnitExpression(parsing: to)))
        return conversion(value)
    }
}
