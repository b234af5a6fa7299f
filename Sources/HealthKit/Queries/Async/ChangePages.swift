/// One iteration over changes: the first page at once, even when empty, then pages as there are any.
final class ChangePages: Sendable {
    private let connection: StoreConnection
    private let parts: [QueryPart]
    private let limit: Int
    private let signal = Latest<CommitSignal>()
    private let anchor = Latest<HKQueryAnchor>()

    init(_ connection: StoreConnection, parts: [QueryPart], anchor: HKQueryAnchor?, limit: Int) {
        self.connection = connection
        self.parts = parts
        self.limit = limit
        if let anchor {
            self.anchor.set(anchor)
        }
    }

    /// The next page.
    ///
    /// - Throws: ``HKError``, or `CancellationError` when the task is cancelled.
    func next() async throws -> QueryReader.Changes {
        try Task.checkCancellation()
        guard let signal = signal.value else {
            // Before the first reading, so that nothing falls between the two.
            self.signal.set(try await connection.perform { CommitSignal($0) })
            return try await page()
        }
        while true {
            let before = anchor.value
            let page = try await page()
            if !page.isEmpty { return page }
            // A page of which nothing passed its predicate is not the last one.
            if limit > 0, page.anchor != before { continue }
            _ = try await signal.next()
        }
    }

    private func page() async throws -> QueryReader.Changes {
        let (parts, limit, after) = (parts, limit, anchor.value)
        let page = try await connection.read { try $0.changes(parts, after: after, limit: limit) }
        anchor.set(page.anchor)
        return page
    }
}
