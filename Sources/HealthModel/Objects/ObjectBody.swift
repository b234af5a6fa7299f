/// What an object row holds beyond dates, source, device and metadata.
public enum ObjectBody: Hashable, Sendable, Codable {
    /// Nothing more (a correlation: its members are links).
    case none
    /// A workout's totals, events and activities.
    case workout(WorkoutBody)
    /// A day's rings, as an archive gave them.
    case activitySummary(ActivitySummaryBody)
    /// Any other object, by its fields.
    case document(DocumentBody)
    /// An element this version does not model, kept as it was read: its tag, its attributes in order,
    /// and its children, so that it can come out again.
    case archived(ArchivedElement)
}
