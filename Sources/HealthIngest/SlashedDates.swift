import Foundation
import HealthFiles
package import HealthJSON

/// The order of day and month in dates such as `5/1/2024, 8:00 AM`, which a single date may not tell, but all of a
/// document’s. Use from one thread at a time.
///
/// A number above 12 shows the order. Without one, hours with `AM` or `PM` are those of the United States, where the
/// month comes first: most other countries with twelve hours write `am`.
package final class SlashedDates {
    private let values: ((JSONValue) -> Void) throws -> Void
    /// The orders that dates show.
    private var orders: Set<Bool> = []
    private var isAmerican = false
    /// Whether the month comes first; `nil` if the dates don’t tell, or contradict each other.
    private lazy var isMonthFirst: Bool? = {
        guard (try? values(add)) != nil, orders.count < 2 else { return nil }
        return orders.first ?? (isAmerican ? true : nil)
    }()

    /// - Parameter values: Hands on what has the dates of the document. It is called with the first date of this form.
    package init(_ values: @escaping ((JSONValue) -> Void) throws -> Void) {
        self.values = values
    }

    /// - Parameter items: All samples of a body.
    package convenience init(_ items: [ShortcutsReader.Item]) {
        self.init { body in items.forEach { body($0.value) } }
    }

    /// - Parameter source: A document that was checked.
    convenience init(_ source: JSONSource) {
        self.init { body in
            func read(_ reader: inout JSONReader) throws {
                switch try reader.kind() {
                case .object: try reader.object { reader, _ in try read(&reader) }
                case .array: try reader.array { reader, _ in try read(&reader) }
                case .string: body(try reader.value())
                default: try reader.skip()
                }
            }
            var reader = JSONReader(source, isLenient: true)
            try read(&reader)
        }
    }

    /// - Parameters:
    ///   - columns: The places of the columns with dates.
    ///   - source: Begins to read a table.
    convenience init(_ columns: [Int], of source: @escaping () throws -> () throws -> [UInt8]) {
        self.init { body in
            var reader = try CSVReader(source())
            while let row = try? reader.next() {
                for place in columns where place < row.fields.count {
                    body(.string(row.fields[place].trimmingCharacters(in: .whitespacesAndNewlines)))
                }
            }
        }
    }

    /// The text, with the day first if it is such a date; `nil` if that can be two days.
    func dayFirst(_ text: String) -> String? {
        guard let date = Self.parts(text) else { return text }
        return isMonthFirst.map { $0 ? "\(date.second)/\(date.first)\(date.rest)" : text }
    }

    private func add(_ value: JSONValue) {
        switch value {
        case .array(let elements): elements.forEach(add)
        case .object(let members): for member in members.entries { add(member.value) }
        case .string(let text):
            // A shortcut writes a list as lines.
            for date in text.split(whereSeparator: \.isNewline).compactMap({ Self.parts($0) }) {
                if date.first > 12 { orders.insert(false) }
                if date.second > 12 { orders.insert(true) }
                isAmerican = isAmerican || date.rest.contains("AM") || date.rest.contains("PM")
            }
        case .null, .bool, .number: break
        }
    }

    private static func parts(_ text: some StringProtocol) -> (first: Int, second: Int, rest: Substring)? {
        guard text.utf8.prefix(3).contains(UInt8(ascii: "/")),
            let match = Substring(text).wholeMatch(of: /(\d{1,2})\/(\d{1,2})(\/\d{4}\b.*)/), let first = Int(match.1),
            let second = Int(match.2)
        else { return nil }
        return (first, second, match.3)
    }
}
