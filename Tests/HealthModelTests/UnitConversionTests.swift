import HealthModel
import Testing

@Suite struct UnitConversionTests {
    /// The exact number of the right unit in one of the left, as in the original.
    static let constants: [(String, Double, String)] = [
        ("oz", 28.349523125, "g"), ("lb", 453.59237, "g"), ("st", 6350.29318, "g"), ("in", 0.0254, "m"), ("ft", 0.3048, "m"),
        ("yd", 0.9144, "m"), ("mi", 1609.344, "m"), ("fl_oz_us", 0.0295735295625, "L"), ("fl_oz_imp", 0.0284130625, "L"),
        ("cup_us", 0.2365882365, "L"), ("cup_imp", 0.284130625, "L"), ("pt_us", 0.473176473, "L"), ("pt_imp", 0.56826125, "L"),
        ("mmHg", 133.322387415, "Pa"), ("inHg", 3386.38816, "Pa"), ("cmAq", 98.0665, "Pa"), ("atm", 101325, "Pa"),
        ("min", 60, "s"), ("hr", 3600, "s"), ("d", 86400, "s"), ("cal", 4.184, "J"), ("kcal", 4184, "J"), ("Cal", 4184, "J"),
        ("m^3", 1000, "L"), ("%", 1, "count"), ("Cal", 1, "kcal"), ("kcal", 1000, "cal"), ("L", 1000, "mL"), ("kg", 1000, "g"),
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
            ("f", 1e-15), ("p", 1e-12), ("n", 1e-9), ("mc", 1e-6), ("m", 1e-3), ("c", 1e-2), ("d", 1e-1), ("da", 1e1), ("h", 1e2),
            ("k", 1e3), ("M", 1e6), ("G", 1e9), ("T", 1e12),
        ]
        #expect(powers.count == UnitPrefix.allCases.count - 1)
        for (prefix, factor) in powers {
            for symbol in ["g", "m", "L", "l", "Pa", "s", "J", "K", "S", "mol<12>", "Hz", "V", "W", "rad", "lx", "IU", "mol"] {
                let converted = try convert(1, prefix + symbol, symbol)
                #expect(converted == factor, "\(prefix)\(symbol)")
            }
        }
    }

    @Test(arguments: [
        (98.6, "degF", "degC", 37.0), (37, "degC", "degF", 98.6), (212, "degF", "degC", 100), (32, "degF", "degC", 0), (-40, "degC", "degF", -40),
        (0, "degC", "K", 273.15), (273.15, "K", "degC", 0), (-459.67, "degF", "K", 0), (0, "K", "degF", -459.67),
        (0, "degC", "mK", 273_150), (273_150, "mK", "degC", 0), (1, "kK", "K", 1000), (1000, "mK", "K", 1), (0.27315, "kK", "degC", 0),
        (1.1, "degC·m", "degF·m", 1.98), (9, "degF/min", "degC/min", 5), (1, "K^2", "degC^2", 1),
        (150, "lb", "kg", 68.0388555), (68.0388555, "kg", "lb", 150), (5, "mi", "km", 8.04672), (26.2, "mi", "m", 42164.8128), (72, "in", "cm", 182.88),
        (1, "%/m", "count/ft", 0.3048), (10, "m^2·in", "L", 254), (2, "m·km·mm", "L", 2000), (2, "mol<18.02>", "g", 36.04),
        (0.5, "%", "count", 0.5), (3, "count^2", "%", 3), (500, "kcal", "J", 2_092_000), (180, "deg", "rad", .pi), (1, "d", "min", 1440),
    ])
    func example(value: Double, from: String, to: String, expected: Double) throws {
        let converted = try convert(value, from, to)
        #expect(converted == expected)
    }

    @Test func glucose() throws {
        let milligrams = try convert(5.5, "mmol<180.1558800000541>/L", "mg/dL")
        let millimoles = try convert(milligrams, "mg/dL", "mmol<180.1558800000541>/L")
        #expect(abs(milligrams - 99.085734) < 1e-9)
        #expect(abs(millimoles - 5.5) < 1e-15)
    }

    @Test(arguments: [
        ("W", "J/s"), ("%/m", "%/m^2"), ("()", "count"), ("()", "count^2"), ("()", "%"), ("()", "IU"), ("()", "in"), ("()", "appleEffortScore"), ("count", "m"), ("mol", "mol<1>"), ("mol", "g"),
        ("g", "m"), ("degC", "degC·m"), ("dBASPL", "dBHL"), ("D", "pD"), ("kcal", "kcal/hr"), ("kg", "kg^2"), ("deg", "count"),
    ])
    func incompatible(left: String, right: String) throws {
        let one = try UnitExpression(parsing: left)
        let two = try UnitExpression(parsing: right)
        #expect(!one.isCompatible(with: two) && !two.isCompatible(with: one))
        #expect(one.conversion(to: two) == nil)
    }

    @Test(arguments: [("Gmol", "kmol"), ("mol", "mol"), ("mol<123>", "mol<456>"), ("mol<123>", "lb"), ("dL/L", "count")])
    func compatible(left: String, right: String) throws {
        #expect(try UnitExpression(parsing: left).isCompatible(with: UnitExpression(parsing: right)))
    }

    @Test func identityKeepsEveryBit() throws {
        let values = [0.0, -0.0, .nan, .infinity, -.infinity, .leastNonzeroMagnitude, .greatestFiniteMagnitude, 0.1, .pi]
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
            ["g", "kg", "lb", "oz", "st", "mol<18.02>", "mcg"], ["m", "km", "mi", "ft", "in", "yd"], ["J", "kJ", "kcal", "cal"],
            ["L", "mL", "fl_oz_us", "cup_imp", "m^3", "in^3"], ["Pa", "mmHg", "kPa", "atm", "inHg"], ["s", "min", "hr", "d", "ms"],
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
