import Foundation
import HealthModel
import Hummingbird

/// A value of a small JSON body whose form depends on its name.
enum BodyValue: Decodable, Sendable {
    case null
    case bool(Bool)
    case number(Double)
    case text(String)
    case list([BodyValue])
    case object([String: BodyValue])

    init(from decoder: any Decoder) throws {
        let container = try decoder.singleValueContainer()
        if container.decodeNil() {
            self = .null
        } else if let flag = try? container.decode(Bool.self) {
            self = .bool(flag)
        } else if let number = try? container.decode(Double.self) {
            self = .number(number)
        } else if let text = try? container.decode(String.self) {
            self = .text(text)
        } else if let list = try? container.decode([BodyValue].self) {
            self = .list(list)
        } else {
            self = .object(try container.decode([String: BodyValue].self))
        }
    }

    /// The members of an object.
    ///
    /// - Throws: ``Problem`` `invalidBody` for any other value.
    func members() throws -> [String: BodyValue] {
        guard case .object(let members) = self else { throw Problem(.invalidBody, "The body is not a JSON object.") }
        return members
    }

    /// A raw value or the name of one; `nil` for null.
    ///
    /// - Throws: ``Problem`` `invalidValue`.
    func choice(_ member: String, _ names: [(value: Int, name: String)]) throws -> Int? {
        switch self {
        case .null: return nil
        case .number(let number):
            if let value = Int(exactly: number), names.contains(where: { $0.value == value }) { return value }
        case .text(let text):
            if let found = names.first(where: { $0.name.lowercased() == text.lowercased() }) { return found.value }
        default: break
        }
        let wanted = names.map { "\($0.value) (\($0.name))" }.joined(separator: ", ")
        throw Self.problem(member, "Use null or one of \(wanted).")
    }

    /// A Gregorian day; `nil` for null.
    ///
    /// - Throws: ``Problem`` `invalidValue`.
    func day(_ member: String) throws -> (year: Int, month: Int, day: Int)? {
        if case .null = self { return nil }
        if case .text(let text) = self, text.utf8.count == 10 {
            let parts = text.split(separator: "-", omittingEmptySubsequences: false).map { Int($0) }
            if parts.count == 3, text.utf8.filter({ $0 == UInt8(ascii: "-") }).count == 2, let year = parts[0],
                let month = parts[1],
                let day = parts[2], CivilDate.isValid(year: year, month: month, day: day)
            {
                return (year, month, day)
            }
        }
        throw Self.problem(member, "Use null or a day in the form 1984-03-01.")
    }

    /// A quantity in a unit: a number, or an object with a compatible unit; `nil` for null.
    ///
    /// - Throws: ``Problem`` `invalidValue`.
    func quantity(_ member: String, in unit: String) throws -> Double? {
        switch self {
        case .null: return nil
        case .number(let number) where number.isFinite: return number
        case .object(let members):
            if case .number(let number)? = members["quantity"], case .text(let text)? = members["unit"],
                let conversion = UnitConversion(parsing: text, to: unit)
            {
                return conversion(number)
            }
        default: break
        }
        throw Self.problem(member, "Use null or an object with “quantity” and “unit”, such as \(unit).")
    }

    static func problem(_ member: String, _ wanted: String) -> Problem {
        var problem = Problem(.invalidValue, "“\(member)”: The value is not valid. \(wanted)")
        problem.member = member
        return problem
    }
}

extension UnitConversion {
    /// The conversion from a unit in a body.
    fileprivate init?(parsing text: String, to unit: String) {
        guard let from = try? UnitExpression(parsing: text), let to = try? UnitExpression(parsing: unit),
            let conversion = from.conversion(to: to)
        else { return nil }
        self = conversion
    }
}
