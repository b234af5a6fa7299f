/// Hands out the elements of one reading, which is made when the first is asked for.
struct SeriesReading<Element: Sendable>: Sendable {
    private let connection: StoreConnection
    private let read: @Sendable (QueryReader) throws -> [Element]
    private var elements: [Element]?
    private var next = 0

    init(_ connection: StoreConnection, read: @escaping @Sendable (QueryReader) throws -> [Element]) {
        self.connection = connection
        self.read = read
    }

    /// The next element; `nil` after the last and when the task was cancelled between two.
    mutating func nextElement() async throws -> Element? {
        if elements == nil { elements = try await connection.read(read) }
        guard let elements, next < elements.count, !Task.isCancelled else { return nil }
        defer { next += 1 }
        return elements[next]
    }
}
