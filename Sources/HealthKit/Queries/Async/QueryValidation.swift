/// Checks of queries that end the process when they fail, as executing the query in the original does.
enum QueryValidation {
    /// What `body` returns; anything it throws is the programmer's mistake and ends the process.
    static func checked<Value>(
        file: StaticString = #fileID, line: UInt = #line, _ body: () throws -> Value
    ) -> Value {
        do {
            return try body()
        } catch {
            ProgrammerError.raise("\(error)", file: file, line: line)
        }
    }

    /// The parts of predicates, translated.
    static func parts<Sample>(
        _ predicates: [HKSamplePredicate<Sample>], of query: String, file: StaticString = #fileID, line: UInt = #line
    ) -> [QueryPart] {
        guard !predicates.isEmpty else {
            ProgrammerError.raise("\(query) data type must be non-nil", file: file, line: line)
        }
        return checked(file: file, line: line) { try QueryPart.parts(of: predicates.map(\.descriptor)) }
    }
}
