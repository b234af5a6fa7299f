import Foundation

/// The numbers in the cells of a table.
package enum ColumnNumber {
    /// The texts that programs write for a missing value.
    private static let missing: Set = ["", "-", "--", "—", "null", "n/a", "na", "nan", "none"]

    /// The text of a cell without white space around it; `nil` if it has no value.
    static func text(_ cell: String) -> String? {
        let text = cell.trimmingCharacters(in: .whitespacesAndNewlines)
        return missing.contains(text.lowercased()) ? nil : text
    }

    /// A number; `nil` for text that isn't one.
    ///
    /// - Parameter decimal: The decimal separator. The other one of point and comma, spaces and apostrophes may group
    ///   thousands.
    package static func parse(_ text: String, decimal: Character = ".") -> Double? {
        let groups: Character = decimal == "," ? "." : ","
        let plain = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }
        let parts = plain.split(separator: decimal, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count < 2 || !parts[1].contains(groups) else { return nil }
        // A separator of thousands has three digits after it.
        let whole = parts[0].split(separator: groups, omittingEmptySubsequences: false)
        let first = whole[0].drop { $0 == "-" || $0 == "+" }
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }), whole.count == 1 || (1...3).contains(first.count)
        else { return nil }
        let number = whole.joined() + (parts.count == 2 ? "." + parts[1] : "")
        guard number.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let value = Double(number),
            abs(value) < 1e12
        else { return nil }
        return value
    }

    /// The numbers of a list such as `[60,60]`, in which `null` is not a number; `nil` for text that isn't one.
    static func list(_ text: String) -> [Double]? {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count >= 2 else { return nil }
        let inner = text.dropFirst().dropLast()
        if inner.allSatisfy(\.isWhitespace) { return [] }
        var numbers: [Double] = []
        for part in inner.split(separator: ",", omittingEmptySubsequences: false) {
            let text = part.trimmingCharacters(in: .whitespaces)
            guard let number = text == "null" ? .nan : parse(text) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// A length of time in seconds: a number of a unit, or hours, minutes and seconds with colons. Of two numbers, the
    /// first is of the unit, which has to be an hour or a minute: 45:30 can be either.
    static func duration(_ text: String, unit seconds: Double, decimal: Character) -> Double? {
        guard text.contains(":") else { return parse(text, decimal: decimal).flatMap { $0 >= 0 ? $0 * seconds : nil } }
        let parts = text.split(separator: ":", omittingEmptySubsequences: false).map {
            parse(String($0), decimal: decimal) ?? .nan
        }
        guard parts.allSatisfy({ $0 >= 0 }), parts.dropFirst().allSatisfy({ $0 < 60 }) else { return nil }
        switch parts.count {
        case 2: return [3_600, 60].contains(seconds) ? parts[0] * seconds + parts[1] * seconds / 60 : nil
        case 3: return parts[0] * 3_600 + parts[1] * 60 + parts[2]
        default: return nil
        }
    }
}
