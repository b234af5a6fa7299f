import Foundation
import HealthAnswers
import HealthJSON

/// The form of a tool's result: the answer of the API, with the units of all numbers, and rounded.
struct AssistantResult: Sendable {
    /// The member with the units, as JSON; `nil` if every number has one beside it.
    private let units: String?
    /// Whether numbers keep all digits.
    private let isExact: Bool

    /// - Parameter units: The units of numbers that are written without one.
    init(units: [AnswerSchema.Unit] = [], isExact: Bool = false) {
        self.units = units.isEmpty ? nil : Self.legend(units)
        self.isExact = isExact
    }

    /// The names of members by their unit. A name that has several units is preceded by that of its object.
    private static func legend(_ units: [AnswerSchema.Unit]) -> String {
        let named = Dictionary(grouping: units) { $0.path.last ?? "" }
        var names: [String: Set<String>] = [:]
        for (name, all) in named {
            let isOne = Set(all.map(\.unit)).count == 1
            for unit in all {
                names[unit.unit, default: []].insert(isOne ? name : unit.path.suffix(2).joined(separator: "."))
            }
        }
        var json = JSONText()
        json.object { json in
            for (unit, members) in names.sorted(by: { $0.key < $1.key }) { json.member(unit, texts: members.sorted()) }
        }
        return json.text
    }

    /// The result of an answer of the API.
    ///
    /// - Parameter note: How the answer differs from what was asked for.
    func text(_ answer: [UInt8], note: String? = nil) -> [UInt8] {
        let rounded = isExact ? answer : Self.rounded(answer)
        guard units != nil || note != nil, rounded.count > 2, rounded.first == UInt8(ascii: "{") else { return rounded }
        var json = JSONText()
        json.object { json in
            json.member("note", text: note)
            if let units { json.member("units", raw: units) }
        }
        return json.bytes.dropLast() + [UInt8(ascii: ",")] + rounded.dropFirst()
    }

    /// Significant digits that assistants get. Those before the decimal point are never rounded.
    private static let digits = 5

    /// JSON whose fractions are rounded.
    static func rounded(_ json: [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        result.reserveCapacity(json.count)
        var (isText, index) = (false, 0)
        while index < json.count {
            let byte = json[index]
            if isText || byte == UInt8(ascii: "\"") {
                if byte == UInt8(ascii: "\\"), index + 1 < json.count {
                    result.append(byte)
                    index += 1
                } else if byte == UInt8(ascii: "\"") {
                    isText.toggle()
                }
                result.append(json[index])
                index += 1
                continue
            }
            let number = json[index...].prefix { (0x30...0x39).contains($0) || "+-.eE".utf8.contains($0) }
            guard let first = number.first, first != UInt8(ascii: "e"), first != UInt8(ascii: "E") else {
                result.append(byte)
                index += 1
                continue
            }
            result += rounded(number)
            index += number.count
        }
        return result
    }

    private static func rounded(_ number: ArraySlice<UInt8>) -> [UInt8] {
        guard !number.allSatisfy({ (0x30...0x39).contains($0) || $0 == UInt8(ascii: "-") }),
            let value = Double(String(decoding: number, as: UTF8.self)), value.isFinite, value != 0
        else { return Array(number) }
        let places = max(0, digits - 1 - Int(log10(abs(value)).rounded(.down)))
        guard places < 300 else { return Array("0".utf8) }
        let factor = pow(10, Double(places))
        let rounded = (value * factor).rounded() / factor
        return Array((ShortestNumber.shortest(rounded.isFinite ? rounded : value) ?? "0").utf8)
    }
}
