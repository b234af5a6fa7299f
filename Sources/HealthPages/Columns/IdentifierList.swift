/// The distinct numbers of a unit, revision or device column, and each row's place among them.
struct IdentifierList {
    /// Ascending.
    let numbers: [UInt32]
    /// Each row's place in ``numbers``; empty when there is but one.
    let places: [Int64]

    /// An empty column stands for `rows.count` zeros.
    init(_ column: [UInt32], rows: Range<Int>) {
        guard !column.isEmpty, !rows.isEmpty else {
            numbers = [0]
            places = []
            return
        }
        let first = column[rows.lowerBound]
        guard let change = rows.first(where: { column[$0] != first }) else {
            numbers = [first]
            places = []
            return
        }
        var distinct = Finder(first)
        var last = first
        for row in change..<rows.upperBound where column[row] != last {
            last = column[row]
            _ = distinct.place(of: last)
        }
        numbers = distinct.met.sorted()
        // From the order of meeting to ascending order.
        var ranks = Array(repeating: Int64(0), count: numbers.count)
        for (rank, number) in numbers.enumerated() { ranks[distinct.place(of: number)] = Int64(rank) }
        var places: [Int64] = []
        places.reserveCapacity(rows.count)
        last = first
        var place = ranks[0]
        for row in rows {
            if column[row] != last {
                last = column[row]
                place = ranks[distinct.place(of: last)]
            }
            places.append(place)
        }
        self.places = places
    }

    func write(to writer: inout ByteWriter) {
        guard !places.isEmpty else { return }
        places.withUnsafeBufferPointer { _ = IntegerSequenceWriter.write($0, to: &writer) }
    }

    /// Numbers in the order they were met. A handful, as nearly always, is searched by walking.
    private struct Finder {
        private(set) var met: [UInt32]
        private var index: [UInt32: Int] = [:]

        init(_ first: UInt32) {
            met = [first]
        }

        mutating func place(of number: UInt32) -> Int {
            if met.count <= 16 {
                for place in met.indices where met[place] == number { return place }
            } else if let place = index[number] {
                return place
            }
            met.append(number)
            if met.count == 17 {
                for (place, number) in met.enumerated() { index[number] = place }
            } else if met.count > 17 {
                index[number] = met.count - 1
            }
            return met.count - 1
        }
    }
}
