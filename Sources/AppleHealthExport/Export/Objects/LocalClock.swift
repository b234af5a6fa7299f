/// An instant's day and time of day somewhere, as names of files have them.
struct LocalClock {
    /// `yyyy-MM-dd`.
    let day: String
    private let second: Int

    /// `offset` is seconds east of UTC.
    init(_ instant: Double, offset: Int) {
        let local = Int(instant.rounded(.down)) + offset
        let number = local >= 0 ? local / 86_400 : (local - 86_399) / 86_400
        day = DateText.printDay(number)
        second = local - number * 86_400
    }

    /// `3:00pm`, with a separator in place of the colon.
    func twelveHours(separator: String) -> String {
        let hour = second / 3_600
        let minute = second / 60 % 60
        return "\(hour % 12 == 0 ? 12 : hour % 12)\(separator)\(minute < 10 ? "0" : "")\(minute)\(hour < 12 ? "am" : "pm")"
    }
}
