import HealthStorage

extension HealthEngine {
    /// Reads piece by piece from one state of the store, however much it holds: a page or an object at a time.
    ///
    /// What is handed to `body` is valid only inside it, on its thread; the engine is not called from within.
    public func reading<Value>(
        as caller: Caller, _ body: (StoreReading) throws -> Value
    ) throws -> Value {
        try storage.read { snapshot in
            try body(
                StoreReading(
                    engine: self, caller: caller, snapshot: snapshot, dictionaries: try dictionaries(in: snapshot)))
        }
    }
}
