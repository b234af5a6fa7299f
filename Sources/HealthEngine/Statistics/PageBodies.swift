import HealthModel
import HealthPages
import HealthStorage

/// The bodies of some pages, copied out of a snapshot so that other threads can decode them.
// @unchecked: the bytes are written only while the value is made, by one thread, and only read after.
final class PageBodies: @unchecked Sendable {
    private let bytes: UnsafeMutableRawBufferPointer
    /// By page index: where the body begins; `nil` for pages that were not asked for.
    private var places: [Int?]
    private let pages: [PageOutline]

    /// Reads the bodies of the pages with these indexes, ascending.
    init(_ indexes: [Int], of pages: [PageOutline], type: TypeCode, in snapshot: any StorageSnapshot) throws {
        self.pages = pages
        places = [Int?](repeating: nil, count: pages.count)
        bytes = .allocate(
            byteCount: indexes.reduce(0) { $0 + pages[$1].header.bodyLength }, alignment: 16)
        guard let first = indexes.first, let last = indexes.last else { return }
        var used = 0
        if indexes.count * 8 < last - first {
            for index in indexes {
                guard let body = try snapshot.pageBody(pages[index].key) else { continue }
                try body.withUnsafeBytes { try copy($0, index, &used) }
            }
            return
        }
        let reach = indexes.reduce(Double.infinity) { min($0, pages[$1].header.greatestEnd) }
        let window = PageWindow.time(
            startsBefore: pages[last].header.firstStart.nextUp, endsAtOrAfter: reach)
        var next = indexes.startIndex
        try snapshot.visitPages(of: type, in: window, bodies: true) { page in
            while next < indexes.endIndex, pages[indexes[next]].key < page.key { next += 1 }
            guard next < indexes.endIndex else { return false }
            if pages[indexes[next]].key == page.key { try copy(page.body, indexes[next], &used) }
            return true
        }
    }

    deinit {
        bytes.deallocate()
    }

    /// One page's body; empty if the store did not have it.
    subscript(index: Int) -> UnsafeRawBufferPointer {
        guard let place = places[index] else { return UnsafeRawBufferPointer(start: nil, count: 0) }
        return UnsafeRawBufferPointer(rebasing: bytes[place..<place + pages[index].header.bodyLength])
    }

    private func copy(_ body: UnsafeRawBufferPointer, _ index: Int, _ used: inout Int) throws {
        guard body.count == pages[index].header.bodyLength else {
            throw PageError(.inconsistent, "body length", at: body.count)
        }
        UnsafeMutableRawBufferPointer(rebasing: bytes[used...]).copyMemory(from: body)
        places[index] = used
        used += body.count
    }
}
