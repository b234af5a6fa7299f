import HealthFiles

extension CSVReader {
    /// Passes on the rows after the first, some at a time.
    ///
    /// - Parameter count: The largest number of rows at a time.
    /// - Returns: Why the rest can’t be read, if it can’t.
    mutating func forEachGroup(of count: Int, _ body: ([[String]]) throws -> Void) throws -> FileDamage? {
        var rows: [[String]] = []
        var damage: FileDamage?
        do {
            _ = try next()
            while let row = try next() {
                rows.append(row.fields)
                guard rows.count == count else { continue }
                try body(rows)
                rows = []
            }
        } catch let failure as CSVReader.Failure {
            damage = FileDamage(offset: 0, line: failure.line, reason: failure.reason)
        }
        if !rows.isEmpty { try body(rows) }
        return damage
    }
}
