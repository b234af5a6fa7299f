import HealthModel

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
            ?? FITSport(sport ?? 0, subSport, activity: 3_000)
    }
}

extension FITSport {
    /// The sport of a workout activity in a file.
    init(activity: UInt, _ place: Place?) {
        if let nearest = Self.nearest[activity] {
            self.init(nearest.sport, nearest.subSport, activity: activity)
            return
        }
        let equipment = FITValueNumber.Sport.fitnessEquipment
        let all = Self.all.filter { $0.activity == activity && activity != 3_000 }
        let listed = all.filter { $0.sport != equipment } + all.filter { $0.sport == equipment }
        self =
            listed.first { $0.place == place } ?? listed.first { $0.place == nil } ?? listed.first
            ?? FITSport(FITValueNumber.Sport.generic, nil, activity: activity)
    }

    /// The sport, or the one of several activities that share its numbers which a profile on the device is named after.
    func named(_ name: String?) -> FITSport {
        // Words such as Functional strength training are HealthKit's name.
        let words = (name ?? "").split(separator: " ").map { $0.prefix(1).uppercased() + $0.dropFirst() }
        guard let named = WorkoutActivityNames.rawValue(of: "HKWorkoutActivityType" + words.joined()),
            case let meant = FITSport(activity: named, place), meant.sport == sport,
            meant.subSport ?? 0 == subSport ?? 0
        else { return self }
        return FITSport(sport, subSport, activity: named, place)
    }
}
