/// Every way a unit symbol may be written, prefix included.
enum UnitSymbols {
    /// Symbols as they are come first: `min` is the minute, `cd` is nothing, `ft` is not a femto-anything.
    private static let all: [String: (UnitPrefix, UnitKind)] = {
        var result: [String: (UnitPrefix, UnitKind)] = [:]
        let kinds = UnitKind.allCases.filter { $0 != .molarMass }
        let spellings = kinds.map { ($0.symbol, $0) } + [("l", .liter)]
        for (symbol, kind) in spellings {
            result[symbol] = (.none, kind)
        }
        for (symbol, kind) in spellings where kind.takesPrefix {
            for prefix in UnitPrefix.allCases where prefix != .none {
                let name = prefix.symbol + symbol
                if result[name] == nil { result[name] = (prefix, kind) }
            }
        }
        return result
    }()

    static func lookUp(_ name: String) -> (UnitPrefix, UnitKind)? {
        all[name]
    }
}
