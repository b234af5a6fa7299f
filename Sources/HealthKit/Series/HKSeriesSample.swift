import Foundation

/// A sample with a long inner series: the points of a route, or single heartbeats.
// Unchecked: adds no stored property to its superclass.
open class HKSeriesSample: HKSample, @unchecked Sendable {
    /// The number of elements in the series.
    open var count: Int { 0 }
}

/// One iteration over elements that are read all at once, when the first is requested.
struct SeriesReading<Element: Sendable>: Sendable {
    private let connection: StoreConnection
    private let read: @Sendable (QueryReader) throws -> [Element]
    private var elements: [Element]?
    private var next = 0

    init(_ connection: StoreConnection, read: @escaping @Sendable (QueryReader) throws -> [Element]) {
        self.connection = connection
        self.read = read
    }

    /// Returns the next element; `nil` after the last one, and if the task was cancelled between two.
    mutating func nextElement() async throws -> Element? {
        if elements == nil { elements = try await connection.read(read) }
        guard let elements, next < elements.count, !Task.isCancelled else { return nil }
        defer { next += 1 }
        return elements[next]
    }
}
