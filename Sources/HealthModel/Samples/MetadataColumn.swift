/// The metadata of samples: a number for each row, and a table that holds each dictionary once.
package struct MetadataColumn: Sendable {
    /// One for each row: 0 for no metadata, else one more than an index into ``table``. An empty array means that no
    /// row has metadata.
    package var numbers: [UInt32] = []
    /// The dictionaries that ``numbers`` refer to.
    package var table: [Metadata] = []

    /// The number of rows with a number.
    @inlinable package var count: Int { numbers.count }
    /// A Boolean value that indicates whether no row has a number.
    @inlinable package var isEmpty: Bool { numbers.isEmpty }

    /// Returns the number of a row; 0 for no metadata.
    @inlinable
    package func number(at row: Int) -> Int {
        row < numbers.count ? Int(numbers[row]) : 0
    }

    /// The metadata of a row.
    package subscript(row: Int) -> Metadata {
        let number = number(at: row)
        return number > 0 ? table[number - 1] : .empty
    }

    /// Appends zeros until there are `count` numbers.
    package mutating func fill(to count: Int) {
        guard numbers.count < count else { return }
        numbers.append(contentsOf: repeatElement(0, count: count - numbers.count))
    }

    /// Appends the metadata of some of another column's rows, from row number `first` on.
    mutating func append(
        _ rows: some RowSelection, of other: MetadataColumn, atRow first: Int, _ renumbering: inout MetadataRenumbering
    ) {
        guard !numbers.isEmpty || !other.numbers.isEmpty else { return }
        fill(to: first)
        if other.table.isEmpty || other.numbers.isEmpty {
            fill(to: first + rows.count)
        } else if renumbering.isIdentity {
            rows.copy(other.numbers, to: &numbers)
        } else {
            for row in rows {
                numbers.append(renumbering.number(of: other.numbers[Int(row)], in: other.table, for: &table))
            }
        }
    }
}

/// The numbers that one column's metadata have in another column, kept over the calls that move rows between the two.
package struct MetadataRenumbering {
    /// By number less one, 0 for those not yet read; for a table that is not too long.
    private var list: [UInt32] = []
    private var numbers: [UInt32: UInt32] = [:]
    private var last: (from: UInt32, to: UInt32) = (0, 0)
    /// How many entries the target's table had at first; `nil` before anything was moved.
    private var earlierEntries: Int?
    /// Whether both columns have the same table.
    fileprivate private(set) var isIdentity = false

    /// Creates a renumbering for a column of which nothing has been moved.
    package init() {}

    /// For columns of the same table.
    static let identity: MetadataRenumbering = {
        var renumbering = MetadataRenumbering()
        renumbering.isIdentity = true
        return renumbering
    }()

    /// Equal entries of two tables become one where finding them is cheap; the page writer unites the others.
    private static let comparedEntries = 16
    /// A table of up to this many entries has a list, which is quicker. An import's table can be far longer than a
    /// page.
    private static let listedEntries = 4_096

    /// The number in `table` of what has `number` in `source`; 0 stays 0.
    fileprivate mutating func number(of number: UInt32, in source: [Metadata], for table: inout [Metadata]) -> UInt32 {
        guard number > 0 else { return 0 }
        if number == last.from { return last.to }
        let result: UInt32
        if source.count <= Self.listedEntries {
            if list.isEmpty { list = Array(repeating: 0, count: source.count) }
            let index = Int(number) - 1
            if list[index] == 0 { list[index] = add(source[index], to: &table) }
            result = list[index]
        } else if let known = numbers[number] {
            result = known
        } else {
            result = add(source[Int(number) - 1], to: &table)
            numbers[number] = result
        }
        last = (number, result)
        return result
    }

    private mutating func add(_ metadata: Metadata, to table: inout [Metadata]) -> UInt32 {
        let earlier = earlierEntries ?? table.count
        earlierEntries = earlier
        if earlier <= Self.comparedEntries,
            let index = table[..<earlier].firstIndex(where: { $0.isIdentical(to: metadata) })
        {
            return UInt32(index) + 1
        }
        table.append(metadata)
        return UInt32(table.count)
    }
}

/// Assigns numbers in a table to metadata, one to each distinct dictionary.
package struct MetadataInterner: Sendable {
    /// Metadata compared byte for byte.
    private struct Key: Hashable {
        let metadata: Metadata

        static func == (left: Key, right: Key) -> Bool {
            left.metadata.isIdentical(to: right.metadata)
        }
    }

    private var numbers: [Key: UInt32] = [:]
    /// Neighbours mostly have the same metadata: the last number is tried first.
    private var last: UInt32 = 0
    private let limit: Int

    /// Creates the interner of an empty table.
    /// - Parameter limit: Once there are this many distinct dictionaries, new ones are appended without comparing.
    package init(limit: Int = .max) {
        self.limit = limit
    }

    /// Returns the number of `metadata` in `table`, to which it is appended if it is new; 0 for empty metadata.
    package mutating func number(of metadata: Metadata, in table: inout [Metadata]) -> UInt32 {
        guard !metadata.isEmpty else { return 0 }
        if last > 0, table[Int(last) - 1].isIdentical(to: metadata) { return last }
        let key = Key(metadata: metadata)
        if let known = numbers[key] {
            last = known
        } else {
            table.append(metadata)
            last = UInt32(table.count)
            if numbers.count < limit { numbers[key] = last }
        }
        return last
    }
}

extension Metadata {
    /// Returns whether both are identical byte for byte. In contrast, `==` holds for canonically equivalent strings and
    /// for 0 and -0, but not for NaN.
    package func isIdentical(to other: Metadata) -> Bool {
        entries.elementsEqual(other.entries) { left, right in
            left.key.hasSameBytes(as: right.key) && left.value.isIdentical(to: right.value)
                && left.archivedText.hasSameBytes(as: right.archivedText)
        }
    }
}

extension MetadataValue {
    fileprivate func isIdentical(to other: MetadataValue) -> Bool {
        switch (self, other) {
        case (.string(let left), .string(let right)): left.hasSameBytes(as: right)
        case (.bool(let left), .bool(let right)): left == right
        case (.integer(let left), .integer(let right)): left == right
        case (.double(let left), .double(let right)), (.date(let left), .date(let right)):
            left.bitPattern == right.bitPattern
        case (.quantity(let left, let unit), .quantity(let right, let otherUnit)):
            left.bitPattern == right.bitPattern && unit.hasSameBytes(as: otherUnit)
        default: false
        }
    }
}

extension String {
    fileprivate func hasSameBytes(as other: String) -> Bool {
        utf8.count == other.utf8.count && utf8.elementsEqual(other.utf8)
    }
}

extension String? {
    fileprivate func hasSameBytes(as other: String?) -> Bool {
        guard let left = self, let right = other else { return self == nil && other == nil }
        return left.hasSameBytes(as: right)
    }
}
