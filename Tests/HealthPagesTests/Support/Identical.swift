import Foundation
import HealthModel

/// Bitwise equality, including the payload of NaN, the sign of zero and the bytes of strings.
enum Identical {
    static func check(_ left: [Double], _ right: [Double]) -> Bool {
        left.count == right.count && zip(left, right).allSatisfy { $0.bitPattern == $1.bitPattern }
    }

    static func check(_ left: Metadata, _ right: Metadata) -> Bool {
        left.entries.count == right.entries.count
            && zip(left.entries, right.entries).allSatisfy {
                check($0.key, $1.key) && check($0.value, $1.value) && check($0.archivedText, $1.archivedText)
            }
    }

    private static func check(_ left: String?, _ right: String?) -> Bool {
        left.map { Array($0.utf8) } == right.map { Array($0.utf8) }
    }

    private static func check(_ left: MetadataValue, _ right: MetadataValue) -> Bool {
        switch (left, right) {
        case (.string(let left), .string(let right)): check(left, right)
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
            left.bitPattern == right.bitPattern
        case (.quantity(let left, let leftUnit), .quantity(let right, let rightUnit)):
            left.bitPattern == right.bitPattern && check(leftUnit, rightUnit)
        default: false
        }
    }

    /// The name of the first column that differs in `rows` of the first argument, or `nil`. A column that
    /// may be empty is equal to the missing values that it represents.
    static func difference(
        _ written: SampleColumns, rows: Range<Int>, _ read: SampleColumns, at offset: Int = 0
    ) -> String? {
        func part<Element>(_ column: [Element], _ missing: Element) -> [Element] {
            column.isEmpty ? Array(repeating: missing, count: rows.count) : Array(column[offset..<offset + rows.count])
        }
        func given<Element>(_ column: [Element], _ missing: Element) -> [Element] {
            column.isEmpty ? Array(repeating: missing, count: rows.count) : Array(column[rows])
        }
        if !check(Array(written.starts[rows]), part(read.starts, .nan)) { return "starts" }
        if !check(Array(written.ends[rows]), part(read.ends, .nan)) { return "ends" }
        if !check(Array(written.values[rows]), part(read.values, .nan)) { return "values" }
        if given(written.units, 0) != part(read.units, .max) { return "units" }
        if given(written.revisions, 0) != part(read.revisions, .max) { return "revisions" }
        if given(written.devices, 0) != part(read.devices, .max) { return "devices" }
        if Array(written.sequences[rows]) != part(read.sequences, .max) { return "sequences" }
        if given(written.uuids.entries, nil) != part(read.uuids.entries, nil) { return "uuids" }
        if !check(given(written.creations.entries, .nan), part(read.creations.entries, .nan)) { return "creations" }
        for (index, row) in rows.enumerated()
        where !check(written.metadata(at: row), read.metadata(at: offset + index)) {
            return "metadata"
        }
        return nil
    }
}
