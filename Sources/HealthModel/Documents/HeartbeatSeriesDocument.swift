/// The names of what a series of heartbeats keeps in its document: columns of one length, a row a beat.
public enum HeartbeatSeriesDocument {
    /// Seconds since the start, ascending.
    public static let offsets = "offsets"
    /// 1 where beats were missed before this one, else 0; missing where nobody said.
    public static let gaps = "gaps"
    /// Beats a minute at each beat, as an archive gives them; missing where nobody said.
    public static let rates = "rates"
}
