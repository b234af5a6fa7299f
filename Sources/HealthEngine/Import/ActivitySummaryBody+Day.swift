import HealthModel

extension ActivitySummaryBody {
    /// Year · 10000 + month · 100 + day.
    var dayNumber: Int { year * 10_000 + month * 100 + day }
}
