package import HealthEngine
package import HealthModel

/// The amount and extent of one type's data.
package struct TypeOverview: Hashable, Sendable {
    package var type: TypeDescription
    /// The number of its samples or objects.
    package var count: Int
    /// The earliest start, in seconds since 2001.
    package var start: Double
    /// The latest end, in seconds since 2001.
    package var end: Double

    package init(type: TypeDescription, count: Int, start: Double, end: Double) {
        self.type = type
        self.count = count
        self.start = start
        self.end = end
    }
}

extension HealthEngine {
    /// Returns an overview of every type that the caller may read, ascending by type.
    package func typeOverview(as caller: Caller) throws -> [TypeOverview] {
        try withReader(as: caller) { reader in try reader.types().compactMap { try reader.overview(of: $0) } }
    }
}

extension StoreReader {
    /// Returns the overview of a type; `nil` if it has nothing that the caller may read. Bodies of pages are read only
    /// where the caller may not read all of a page.
    fileprivate func overview(of type: TypeDescription) throws -> TypeOverview? {
        var found = TypeOverview(type: type, count: 0, start: .infinity, end: -.infinity)
        func add(_ count: Int, start: Double, end: Double) {
            found.count += count
            found.start = min(found.start, start)
            found.end = max(found.end, end)
        }
        for page in try pages(of: type.code) {
            if page.isWhole {
                add(page.count, start: page.firstStart, end: page.maximumEnd)
            } else {
                let rows = try rows(of: page, columns: [.starts, .ends])
                for (start, end) in zip(rows.starts, rows.ends) { add(1, start: start, end: end) }
            }
        }
        for object in try objects(of: type.code) { add(1, start: object.start, end: object.end) }
        return found.count > 0 ? found : nil
    }
}
