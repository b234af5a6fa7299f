import HealthModel

/// The names of sports in several languages, as Strava's list of activities and other tables have them.
enum SportNames {
    /// The activity with a name; another one for an unknown name.
    static func track(called text: String) -> RecordedTrack {
        let words = text.lowercased().split { !$0.isLetter && !$0.isNumber }.joined(separator: " ")
        return RecordedTrack(called: sports[words] ?? text)
    }
}
