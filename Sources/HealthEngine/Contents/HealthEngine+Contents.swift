import HealthStorage

extension HealthEngine {
    /// Runs `body` over all that the store holds at this moment; later writes are not seen in it and do not
    /// wait for it. May be called from any thread, several at once.
    ///
    /// - Throws: storage trouble, and what `body` throws.
    public func readContents<Value>(_ body: (StoreContents) throws -> Value) throws -> Value {
        try storage.read { snapshot in
            try body(
                StoreContents(
                    dictionaries: dictionaries(in: snapshot), identities: identities,
                    profile: profile(in: snapshot), importNotes: importNotes(in: snapshot), snapshot: snapshot))
        }
    }
}
