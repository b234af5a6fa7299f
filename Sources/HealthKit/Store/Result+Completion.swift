extension Result {
    /// Whether there is a value.
    var isSuccess: Bool {
        if case .success = self { true } else { false }
    }

    /// The error, if there is one.
    var error: Failure? {
        if case .failure(let error) = self { error } else { nil }
    }
}
