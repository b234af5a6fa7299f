import HealthStorage

extension HealthEngine {
    /// Reads everything there is and says what is wrong with it: pages that do not decode or are out
    /// of order, headers that disagree with their pages, numbers without a noun, identities and links
    /// that lead nowhere. An empty list means that the store is sound.
    ///
    /// Findings are sentences for people; they name types and sequence numbers, never health data.
    public func check() throws -> [String] {
        try storage.read { snapshot in
            var check = StoreCheck(
                snapshot: snapshot, dictionaries: try snapshot.dictionaries(),
                lastSequence: try snapshot.lastSequence())
            try check.run()
            return check.findings
        }
    }
}
