/// The names that archives use for workout events, `HKWorkoutEventType…`, and their raw values.
public enum WorkoutEventText {
    private static let prefix = "HKWorkoutEventType"
    private static let names = [
        "Pause", "Resume", "Lap", "Marker", "MotionPaused", "MotionResumed", "Segment", "PauseOrResumeRequest",
    ]

    /// The raw value of a name, or of a number.
    public static func rawValue(of text: String) -> Int? {
        if let number = Int(text) { return number }
        guard text.hasPrefix(prefix) else { return nil }
        return names.firstIndex(of: String(text.dropFirst(prefix.count))).map { $0 + 1 }
    }

    /// The name of a raw value, `nil` for one this version does not know.
    public static func name(of value: Int) -> String? {
        names.indices.contains(value - 1) ? prefix + names[value - 1] : nil
    }
}
