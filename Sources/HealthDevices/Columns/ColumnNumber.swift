import Foundation

/// The numbers in the cells of a table.
enum ColumnNumber {
    /// What programs write for a value that is missing.
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
    static func parse(_ text: String, decimal: Character = ".") -> Double? {
        let groups: Character = decimal == "," ? "." : ","
        let plain = text.filter { !$0.isWhitespace && $0 != "'" && $0 != "’" }
        let parts = plain.split(separator: decimal, omittingEmptySubsequences: false)
        guard parts.count <= 2, parts.count < 2 || !parts[1].contains(groups) else { return nil }
        // A separator of thousands has three digits after it.
        let whole = parts[0].split(separator: groups, omittingEmptySubsequences: false)
        guard whole.dropFirst().allSatisfy({ $0.count == 3 }), whole.count == 1 || (1...4).contains(whole[0].count)
        else { return nil }
        let number = whole.joined() + (parts.count == 2 ? "." + parts[1] : "")
        guard number.utf8.allSatisfy({ "+-.0123456789eE".utf8.contains($0) }), let value = Double(number),
            abs(value) < 1e12
        else { return nil }
        return value
    }

    /// The numbers of a list such as `[60,60]`; `nil` for text that isn't one.
    static func list(_ text: String) -> [Double]? {
        guard text.hasPrefix("["), text.hasSuffix("]"), text.utf8.count >= 2 else { return nil }
        let inner = text.dropFirst().dropLast()
        if inner.allSatisfy(\.isWhitespace) { return [] }
        var numbers: [Double] = []
        for part in inner.split(separator: ",", omittingEmptySubsequences: false) {
            guard let number = parse(part.trimmingCharacters(in: .whitespaces)) else { return nil }
            numbers.append(number)
        }
        return numbers
    }

    /// A length of time in seconds: a number of a unit, or hours, minutes and seconds with colons.
    static func duration(_ text: String, unit seconds: Double, decimal: Character) -> Double? {
        if text.contains(":") {
            let parts = text.split(separator: ":", omittingEmptySubsequences: false).map { parse(String($0)) }
            guard (2...3).contains(parts.count), let first = parts[0], let second = parts[1],
                let third = parts.count == 3 ? parts[2] : 0, min(first, second, third) >= 0
            else { return nil }
            return first * 3_600 + second * 60 + third
        }
        return parse(text, decimal: decimal).flatMap { $0 >= 0 ? $0 * seconds : nil }
    }
}
