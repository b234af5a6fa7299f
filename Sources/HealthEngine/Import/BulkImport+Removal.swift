import HealthModel

extension BulkImport {
    /// Removes what earlier imports brought and this one, which must be complete, did not: the store
    /// mirrors the archive then. What applications saved stays, even where an archive has it too.
    ///
    /// Members of a stored object that stays stay with it: an archive need not list them by themselves.
    /// Deletions leave tombstones like any other, in one transaction; activity summaries, which anchored
    /// queries do not report, leave none.
    ///
    /// - Parameter protected: Type identifiers of which nothing is removed, because the archive could not
    ///   be understood in full.
    /// - Returns: How many samples and objects were removed, by type identifier.
    public func removeMissing(protecting protected: Set<String> = []) throws -> [String: Int] {
        let counts = try withMemory { memory in
            try engine.commitUntold { transaction, draft in
                var removal = try BulkRemoval(
                    engine: engine, transaction: transaction, memory: &memory, protected: protected)
                return try removal.run(draft: &draft)
            }
        }
        engine.commits.deliver()
        return counts
    }
}
