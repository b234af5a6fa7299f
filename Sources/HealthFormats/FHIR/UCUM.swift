/// Units in the Unified Code for Units of Measure, which FHIR wants.
enum UCUM {
    /// The code of a unit string, such as `/min` for `count/min`; `nil` where there is no sure one.
    static func code(_ unit: String) -> String? {
        if let whole = wholes[unit] { return whole }
        // A mass of a substance per mole stands behind mmol: mmol<180.1558800000541>/L.
        let plain = withoutMolarMass(unit)
        let parts = plain.split(separator: "/", omittingEmptySubsequences: false).map(String.init)
        guard parts.count <= 2, let top = product(parts[0]) else { return nil }
        guard parts.count == 2 else { return top }
        let isCompound = parts[1].contains { "·*".contains($0) }
        let inner = parts[1].filter { !"()".contains($0) }
        guard let bottom = product(inner) else { return nil }
        let dividend = top == "1" || top == "{count}" ? "" : top
        return "\(dividend)/\(isCompound ? "(\(bottom))" : bottom)"
    }

    private static func withoutMolarMass(_ unit: String) -> String {
        guard let open = unit.firstIndex(of: "<"), let close = unit.firstIndex(of: ">"), open < close else { return unit }
        return String(unit[..<open] + unit[unit.index(after: close)...])
    }

    private static func product(_ text: String) -> String? {
        var codes: [String] = []
        for factor in text.split(whereSeparator: { "·*".contains($0) }) {
            guard let code = atoms[String(factor)] else { return nil }
            codes.append(code)
        }
        return codes.isEmpty ? nil : codes.joined(separator: ".")
    }

    private static let wholes = ["count/min": "/min", "count/s": "/s", "count": "{count}", "%": "%"]

    private static let atoms = [
        "count": "{count}", "%": "%",
        "kg": "kg", "g": "g", "mg": "mg", "mcg": "ug", "lb": "[lb_av]", "oz": "[oz_av]", "st": "[stone_av]",
        "m": "m", "cm": "cm", "mm": "mm", "km": "km", "mi": "[mi_i]", "ft": "[ft_i]", "in": "[in_i]", "yd": "[yd_i]",
        "kcal": "kcal", "Cal": "kcal", "cal": "cal", "J": "J", "kJ": "kJ",
        "degC": "Cel", "degF": "[degF]", "K": "K",
        "mmHg": "mm[Hg]", "cmHg": "cm[Hg]", "inHg": "[in_i'Hg]", "cmAq": "cm[H2O]", "Pa": "Pa", "kPa": "kPa", "hPa": "hPa",
        "s": "s", "ms": "ms", "min": "min", "hr": "h", "d": "d",
        "L": "L", "mL": "mL", "dL": "dL", "fl_oz_us": "[foz_us]", "fl_oz_imp": "[foz_br]", "cup_us": "[cup_us]",
        "pt_us": "[pt_us]", "pt_imp": "[pt_br]",
        "mol": "mol", "mmol": "mmol", "IU": "[iU]", "Hz": "Hz", "W": "W", "kW": "kW", "V": "V", "mV": "mV", "mcV": "uV",
        "S": "S", "mcS": "uS", "dBASPL": "dB[SPL]", "D": "[diop]", "deg": "deg", "rad": "rad", "lx": "lx",
    ]
}
