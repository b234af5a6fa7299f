/// A sport of a FIT file and the workout activity that it is.
struct FITSport: Sendable {
    /// Where a sport is done, if its name says so.
    enum Place: Sendable {
        case indoor, pool, openWater
    }

    let sport: Int64
    /// `nil` for any that isn't listed.
    let subSport: Int64?
    /// The raw value of the workout activity type.
    let activity: UInt
    let place: Place?

    init(_ sport: Int64, _ subSport: Int64?, activity: UInt, _ place: Place? = nil) {
        (self.sport, self.subSport, self.activity, self.place) = (sport, subSport, activity, place)
    }

    /// The sport with these numbers; a workout of another kind if they aren't listed.
    init(sport: Int64?, subSport: Int64?) {
        let listed = Self.all.filter { $0.sport == sport }
        self =
            listed.first { $0.subSport != nil && $0.subSport == subSport } ?? listed.first { $0.subSport == nil }
            ?? FITSport(sport ?? 0, nil, activity: 3_000)
    }
}
