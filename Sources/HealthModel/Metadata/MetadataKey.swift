/// The raw strings of the metadata keys the engine itself acts on. All others are only carried.
public enum MetadataKey {
    /// True for a sample that a person typed in.
    public static let wasUserEntered = "HKWasUserEntered"
    /// Name of the time zone the sample was taken in, such as `Europe/Berlin`.
    public static let timeZone = "HKTimeZone"
    /// An application's own name for a sample, by which a newer version replaces it.
    public static let syncIdentifier = "HKMetadataKeySyncIdentifier"
    /// The number of a sample's version under its sync identifier.
    public static let syncVersion = "HKMetadataKeySyncVersion"
    /// Whether a menstrual flow sample begins a cycle; such samples must say so.
    public static let menstrualCycleStart = "HKMenstrualCycleStart"
    /// Why insulin was given, basal 1 or bolus 2; such samples must say so.
    public static let insulinDeliveryReason = "HKInsulinDeliveryReason"

    /// Begins the keys under which an import keeps what an archive says of a sample beyond its metadata
    /// (beats of a heart-rate variability, unknown attributes and elements). They come out again on
    /// export and are no part of the metadata an application sees.
    public static let archivedPrefix = "_archived."

    /// Begins the keys under which a sample made of several quantities says what it was made of. They are
    /// no part of the metadata an application sees.
    public static let seriesPrefix = "_series."
    /// How many quantities there are.
    public static let seriesCount = "_series.count"
    /// The least of the quantities, in the sample's unit.
    public static let seriesMinimum = "_series.minimum"
    /// The greatest of the quantities, in the sample's unit.
    public static let seriesMaximum = "_series.maximum"
    /// The latest of the quantities, in the sample's unit.
    public static let seriesLatest = "_series.latest"
    /// When the latest quantity began, in seconds since 2001-01-01 00:00:00 UTC.
    public static let seriesLatestStart = "_series.latestStart"
    /// When the latest quantity ended, in seconds since 2001-01-01 00:00:00 UTC.
    public static let seriesLatestEnd = "_series.latestEnd"
}
