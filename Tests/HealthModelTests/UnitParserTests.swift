import HealthModel
import Testing

/// Parsing, printing and equality of unit strings. Every line was observed in the original.
@Suite struct UnitParserTests {
    @Test(arguments: ["", "()", "(())", "((()))", "m/m", "m^0", "1", "1/1"])
    func nullUnits(text: String) throws {
        let unit = try UnitExpression(parsing: text)
        #expect(unit.isNull)
        #expect(unit == .null)
        #expect(unit.string == "()")
    }

    @Test(arguments: [
        ("(m)", "m"), ("(m)·(m)", "m·m"), ("m*m", "m·m"), ("m.m", "m·m"), ("m·m", "m^2"), ("m·1/s", "m/s"),
        ("1/s", "s^-1"), ("m^1", "m"), ("(m^2)^2", "m^4"),
        ("(m^2·atm)^2·GL/in^2", "m^4·atm^2·GL/in^2"),
        ("((m·atm)^2)^2·GL/in^2", "m^4·atm^4·GL/in^2"),
        ("atm·(m·L)^2", "atm·m^2·L^2"),
        ("m^4·atm^2·GL/m^2", "m^2·atm^2·GL"),
        ("m/s^2", "m·s^-2"), ("kcal/(kg*hr)", "kcal/hr·kg"), ("ml/(kg*min)", "mL/min·kg"), ("l", "L"),
        ("kcal/kg·hr", "kcal·kg^-1·hr^-1"), ("mg/dL", "dL^-1·mg"),
    ])
    func equalUnits(left: String, right: String) throws {
        let one = try UnitExpression(parsing: left)
        let two = try UnitExpression(parsing: right)
        #expect(one == two)
        #expect(one.hashValue == two.hashValue)
        #expect(one.string == two.string)
    }

    @Test(arguments: [
        ("dL", "L"), ("Cal", "kcal"), ("m", "m^2"), ("mol", "mol<1>"), ("%", "count"), ("mol<1>", "mol<2>"),
    ])
    func differentUnits(left: String, right: String) throws {
        #expect(try UnitExpression(parsing: left) != UnitExpression(parsing: right))
    }

    @Test(arguments: [
        "(", ")", "()·()", "()·m", "m·()", "(m)(m)", "m(m)", "()^2", "/s", "m^2^2", "(m·atm/in^4)^2",
        "percent", "km<123>", "mol<>", "ml/kg/min", "m/", "m/()", "m·", "·m", "m^", "m^x", "m^1.5", "m^+2", " m", "m s",
        "mol<0>", "mol<-1>", "mol<nan>", "mol<inf>", "mol<0x10>", "mol<1", "mol<1e999>", "mol<1>x", "klb", "mmin",
        "kcount",
        "kkg", "1x", "m^99999999999999999999", "((m^1000000)^1000000)", "m^9999999", "m^1000000·m^1000000", "·", "^2",
        "<1>",
    ])
    func malformedUnits(text: String) {
        #expect(throws: UnitParsingError.self) { try UnitExpression(parsing: text) }
    }

    @Test func manyParenthesesDoNotExhaustTheStack() throws {
        let count = 100_000
        let deep = String(repeating: "(", count: count)
        #expect(throws: UnitParsingError.self) {
            try UnitExpression(parsing: deep + "m" + String(repeating: ")", count: count))
        }
        #expect(throws: UnitParsingError.self) { try UnitExpression(parsing: deep) }
        #expect(try UnitExpression(parsing: "((((m))))").string == "m")
    }

    @Test func randomTextParsesOrThrows() throws {
        var random = SplitMix(seed: 20_261_121)
        let alphabet = Array("()·*./^-123msgLkl%<>dBcountePa ")
        var parsed = 0
        for _ in 0..<20_000 {
            let text = String(
                (0..<Int(random.next() % 12)).map { _ in alphabet[Int(random.next() % UInt64(alphabet.count))] })
            guard let unit = try? UnitExpression(parsing: text) else { continue }
            // The printed form of a parsed unit parses to the same unit.
            #expect(try UnitExpression(parsing: unit.string) == unit, "seed 20261121, text \(text)")
            parsed += 1
        }
        #expect(parsed > 100)
    }

    @Test func equalSymbolsAreCombined() throws {
        let unit = try UnitExpression(parsing: "m·s·m/s^3")
        #expect(unit.factors.map(\.exponent) == [2, -2])
        #expect(unit.string == "m^2/s^2")
    }

    @Test(arguments: ["m/m", "mg·s/s·mg"])
    func cancellingSymbolsLeaveNull(text: String) throws {
        #expect(try UnitExpression(parsing: text).isNull)
    }

    @Test(arguments: ["dL/L", "count/%", "m/in", "count", "%"])
    func notNull(text: String) throws {
        #expect(try !UnitExpression(parsing: text).isNull)
    }

    @Test func errorsContainTextAndReason() {
        let error = #expect(throws: UnitParsingError.self) { try UnitExpression(parsing: "percent") }
        #expect(error?.text == "percent")
        #expect(error?.description == "Unable to parse unit string “percent”: Unknown unit “percent”")
    }

    @Test(arguments: ["(", "m·", "m^2·", "m^1000000/", "µ", "mol<1", "()", "1/"])
    func longTextsAreRefused(part: String) {
        let text = String(repeating: part, count: 200_000)
        let error = #expect(throws: UnitParsingError.self) { try UnitExpression(parsing: text) }
        // A message doesn't repeat all of it.
        #expect((error?.text.count ?? 0) <= 1_001)
        #expect(throws: UnitParsingError.self) {
            try UnitExpression(parsing: String(repeating: part, count: 100) + "x")
        }
    }
}
