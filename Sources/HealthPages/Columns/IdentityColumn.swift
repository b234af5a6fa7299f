import Foundation
import HealthModel

/// Writes the UUIDs given by apps. The counterpart of ``IdentityColumnReader``.
enum IdentityColumnWriter {
    /// The first byte if every row has a UUID.
    static let allTag: UInt8 = 1
    /// The first byte if a bitmap indicates which rows have a UUID.
    static let bitmapTag: UInt8 = 2

    /// Returns `false`, without writing anything, if no row has a UUID.
    static func write(_ uuids: OptionalColumn<UUID?>, rows: Range<Int>, to writer: inout ByteWriter) -> Bool {
        guard !uuids.isEmpty else { return false }
        return uuids.entries.withUnsafeBufferPointer { write(UnsafeBufferPointer(rebasing: $0[rows]), to: &writer) }
    }

    private static func write(_ uuids: UnsafeBufferPointer<UUID?>, to writer: inout ByteWriter) -> Bool {
        var given = 0
        for row in uuids.indices where uuids[row] != nil { given += 1 }
        guard given > 0 else { return false }
        if given == uuids.count {
            writer.byte(allTag)
        } else {
            writer.byte(bitmapTag)
            writer.packed(count: uuids.count, width: 1) { uuids[$0] == nil ? 0 : 1 }
        }
        writer.filling(given * 16) { target in
            var place = target
            for row in uuids.indices {
                guard let uuid = uuids[row] else { continue }
                place.storeBytes(of: uuid.uuid, as: uuid_t.self)
                place += 16
            }
        }
        return true
    }
}

/// Reads the column written by ``IdentityColumnWriter``.
enum IdentityColumnReader {
    /// Appends `count` entries.
    static func append(
        _ reader: inout ByteReader, count: Int, to uuids: inout OptionalColumn<UUID?>
    ) throws(PageError) {
        var bitmap: UnsafeRawBufferPointer?
        switch try reader.byte("uuid column") {
        case IdentityColumnWriter.allTag: break
        case IdentityColumnWriter.bitmapTag:
            bitmap = try reader.take(BitPacking.size(count: count, width: 1), "uuid column")
        default: throw reader.error(.inconsistent, "uuid column")
        }
        // Reserving exactly what each page needs would copy the whole column for each page.
        if uuids.isEmpty { uuids.reserveCapacity(count) }
        for row in 0..<count {
            if let bitmap, bitmap[row >> 3] >> UInt8(row & 7) & 1 == 0 {
                uuids.append(nil)
            } else {
                let field = try reader.take(16, "uuid column")
                uuids.append(UUID(uuid: field.loadUnaligned(as: uuid_t.self)))
            }
        }
        try reader.finish("uuid column")
    }
}

/// The distinct numbers in a unit, revision or device column, and the index of each row's number among them.
struct IdentifierList {
    /// The distinct numbers in ascending order.
    let numbers: [UInt32]
    /// The index of each row's number in ``numbers``; empty if there is only one number.
    let places: [Int64]

    /// Creates the list of a column. An empty column contains `rows.count` zeros.
    init(_ column: [UInt32], rows: Range<Int>) {
        guard !column.isEmpty, !rows.isEmpty else {
            numbers = [0]
            places = []
            return
        }
        let first = column[rows.lowerBound]
        var change = rows.lowerBound + 1
        while change < rows.upperBound, column[change] == first { change += 1 }
        guard change < rows.upperBound else {
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
        numbers = distinct.numbers.sorted()
        // Map from the order of occurrence to ascending order.
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

    /// Distinct numbers in order of occurrence. A few numbers, the usual case, are searched linearly.
    private struct Finder {
        private(set) var numbers: [UInt32]
        private var index: [UInt32: Int] = [:]

        init(_ first: UInt32) {
            numbers = [first]
        }

        mutating func place(of number: UInt32) -> Int {
            if numbers.count <= 16 {
                for place in numbers.indices where numbers[place] == number { return place }
            } else if let place = index[number] {
                return place
            }
            numbers.append(number)
            if numbers.count == 17 {
                for (place, number) in numbers.enumerated() { index[number] = place }
            } else if numbers.count > 17 {
                index[number] = numbers.count - 1
            }
            return numbers.count - 1
        }
    }
}
