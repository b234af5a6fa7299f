import Foundation
import HealthAccess
import HealthEngine
import HealthModel

/// The order of a list of samples, and the place in it where a page ends.
///
/// The place is the last sample itself: its date and its position in the store. So what is inserted or deleted
/// meanwhile shifts nothing.
struct SamplePosition: Hashable, Sendable {
    /// The order of a list.
    enum Order: String, CaseIterable, Sendable {
        case startDate, startDateDescending = "-startDate", endDate, endDateDescending = "-endDate"
        case value, valueDescending = "-value"

        var ascending: Bool { self == .startDate || self == .endDate || self == .value }
        var isByStart: Bool { self == .startDate || self == .startDateDescending }
        /// Lists by value have one page: what people look for is at their beginning.
        var isByValue: Bool { self == .value || self == .valueDescending }

        /// The key of the engine. Samples of one instant are in the order of the store, in both directions.
        var sort: SampleSort { SampleSort(isByValue ? .value : isByStart ? .start : .end, ascending: ascending) }
    }

    var order: Order
    /// The date of the last sample, in seconds since 2001.
    var date: Double
    /// The position of the last sample in the store.
    var sequence: Int64

    /// The text of the cursor, for URLs.
    var text: String {
        let numbers = [date.bitPattern, UInt64(bitPattern: sequence)]
        let bytes = numbers.flatMap { number in withUnsafeBytes(of: number.bigEndian) { Array($0) } }
        return Secret.base64URL(Data([UInt8(Order.allCases.firstIndex(of: order) ?? 0)] + bytes))
    }

    /// Matches everything from the last sample on, and those of the same date before it.
    private var filter: SampleFilter {
        let comparison: ComparisonOperator = order.ascending ? .greaterThanOrEqual : .lessThanOrEqual
        return order.isByStart ? .start(comparison, date) : .end(comparison, date)
    }
}

extension SamplePosition {
    /// - Throws: ``Problem`` `invalidCursor` for a text that isn't a cursor of this order.
    init(_ text: String, order: Order) throws {
        let problem = Problem(
            .invalidCursor, "The cursor is not one of this list. Begin without it, with the same parameters.")
        guard let data = Secret.data(base64URL: text), data.count == 17, !order.isByValue,
            let index = Order.allCases.firstIndex(of: order), data[data.startIndex] == UInt8(index)
        else { throw problem }
        func number(at offset: Int) -> UInt64 {
            data.dropFirst(offset).prefix(8).reduce(0) { $0 << 8 | UInt64($1) }
        }
        self.order = order
        date = Double(bitPattern: number(at: 1))
        sequence = Int64(bitPattern: number(at: 9))
        guard date.isFinite, sequence > 0 else { throw problem }
    }

    /// One page of a list.
    struct Page {
        /// The samples after the cursor, with at most one more than the limit.
        var selection: SampleSelection
        /// The number of samples on the page.
        var count: Int
        /// Where the page ends; `nil` for the last one.
        var next: SamplePosition?
    }

    /// Reads the page after a cursor.
    static func page(
        of parts: [SampleRequest.Part], order: Order, after cursor: SamplePosition?, limit: Int,
        from reading: StoreReader
    ) throws -> Page {
        var request = SampleRequest(parts: parts, sort: [order.sort])
        if let cursor {
            request.parts = parts.map { part in
                SampleRequest.Part(
                    type: part.type, filter: part.filter == .all ? cursor.filter : .and([part.filter, cursor.filter]))
            }
        }
        // Samples of the cursor's date that come before it are read and dropped; usually it is only the last one.
        var surplus = cursor == nil ? 1 : 8
        while true {
            let sought = limit + surplus
            request.limit = sought
            var selection = try reading.samples(request)
            let found = selection.count
            if let cursor {
                selection.order = selection.order.filter { reference in
                    let (date, sequence) = selection.place(of: reference, order)
                    return date != cursor.date || sequence > cursor.sequence
                }
            }
            guard selection.count > limit || found < sought else {
                surplus *= 8
                continue
            }
            guard selection.count > limit, limit > 0, !order.isByValue else {
                return Page(selection: selection, count: min(selection.count, max(limit, 0)), next: nil)
            }
            let (date, sequence) = selection.place(of: selection.order[limit - 1], order)
            return Page(
                selection: selection, count: limit, next: SamplePosition(order: order, date: date, sequence: sequence))
        }
    }
}

extension SampleSelection {
    /// The date that a list is ordered by, and the position in the store.
    fileprivate func place(of reference: Reference, _ order: SamplePosition.Order) -> (date: Double, sequence: Int64) {
        switch reference {
        case .sample(let batch, let row):
            let columns = batches[Int(batch)]
            return (order.isByStart ? columns.starts[Int(row)] : columns.ends[Int(row)], columns.sequences[Int(row)])
        case .object(let index):
            let object = objects[Int(index)]
            return (order.isByStart ? object.start : object.end, object.sequence)
        }
    }
}
