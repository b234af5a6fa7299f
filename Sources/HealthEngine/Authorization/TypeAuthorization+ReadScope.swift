extension TypeAuthorization {
    /// What queries return under this decision; `nil` when the application never asked for the type,
    /// in either direction.
    ///
    /// | read | share | scope |
    /// |---|---|---|
    /// | granted | any | everything |
    /// | not granted | granted | own samples |
    /// | not granted | refused | nothing |
    /// | refused | never asked | nothing |
    /// | never asked | never asked | `nil` |
    var readScope: ReadScope? {
        switch (read, share) {
        case (.authorized, _): .everything
        case (_, .authorized): .ownOnly
        case (.notDetermined, .notDetermined): nil
        default: .nothing
        }
    }
}
