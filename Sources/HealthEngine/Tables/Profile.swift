package import HealthStorage

/// A person's characteristics. Enumerations hold the original's raw values; `nil` means “not set”.
package struct Profile: Hashable, Sendable, Codable {
    /// A Gregorian date without a time.
    package struct Day: Hashable, Sendable, Codable, Comparable {
        /// The year, such as 1984.
        package var year: Int
        /// The month, 1 to 12.
        package var month: Int
        /// The day of the month, from 1.
        package var day: Int

        /// Creates a date without checking that the day exists.
        package init(year: Int, month: Int, day: Int) {
            self.year = year
            self.month = month
            self.day = day
        }

        /// Year · 10000 + month · 100 + day.
        package var number: Int { year &* 10_000 &+ month &* 100 &+ day }

        package static func < (left: Day, right: Day) -> Bool {
            (left.year, left.month, left.day) < (right.year, right.month, right.day)
        }
    }

    /// The person's date of birth.
    package var dateOfBirth: Day?
    /// Female 1, male 2, other 3.
    package var biologicalSex: Int?
    /// The sex whose reference ranges apply: female 1, male 2.
    package var referenceSex: Int?
    /// A+ 1, A− 2, B+ 3, B− 4, AB+ 5, AB− 6, O+ 7, O− 8.
    package var bloodType: Int?
    /// Type I 1 to type VI 6.
    package var fitzpatrickSkinType: Int?
    /// No 1, yes 2.
    package var wheelchairUse: Int?
    /// The current move mode: active energy 1, move time 2.
    package var activityMoveMode: Int?
    /// Raw option bits of cardio fitness medications.
    package var cardioFitnessMedicationsUse: Int?
    /// Preferred unit strings by type identifier.
    package var preferredUnits: [String: String] = [:]
    /// The boundaries of the person's workout zones by type identifier: heart rate in beats per minute, cycling power
    /// in watts, ascending.
    package var workoutZones: [String: [Double]]?
    /// The identifiers of the types that the person wants to see first, in this order.
    package var pinnedTypes: [String]?
    /// Ring goals in ascending order, each in effect from its first day.
    package var goals: [ActivityGoals] = []

    /// Creates an empty profile.
    package init() {}

    /// Adds goals, merged with those of the same day if there are any.
    package mutating func setGoals(_ new: ActivityGoals) {
        var entry = ActivityGoals(from: new.from)
        if let index = goals.firstIndex(where: { $0.from == new.from }) { entry = goals.remove(at: index) }
        entry.merge(new)
        goals.append(entry)
        goals.sort { $0.from < $1.from }
    }

    /// The goals in effect on a day: each figure comes from the latest entry on or before it that has one.
    package func goals(on day: Day) -> ActivityGoals {
        var result = ActivityGoals(from: day)
        for entry in goals where entry.from <= day { result.merge(entry) }
        return result
    }
}

extension ActivityGoals {
    /// Takes over the figures that later goals have.
    fileprivate mutating func merge(_ later: ActivityGoals) {
        moveEnergy = later.moveEnergy ?? moveEnergy
        moveTime = later.moveTime ?? moveTime
        exercise = later.exercise ?? exercise
        stand = later.stand ?? stand
    }
}

/// Ring goals in effect from one day on; `nil` keeps the earlier figure.
package struct ActivityGoals: Hashable, Sendable, Codable {
    /// The first day on which the goals apply.
    package var from: Profile.Day
    /// Kilocalories.
    package var moveEnergy: Double?
    /// Minutes.
    package var moveTime: Double?
    /// Minutes.
    package var exercise: Double?
    /// Hours with a stand.
    package var stand: Double?

    /// Creates goals; those that are `nil` stay as they were.
    package init(
        from: Profile.Day, moveEnergy: Double? = nil, moveTime: Double? = nil,
        exercise: Double? = nil, stand: Double? = nil
    ) {
        self.from = from
        self.moveEnergy = moveEnergy
        self.moveTime = moveTime
        self.exercise = exercise
        self.stand = stand
    }
}

/// The profile of a store's person.
package struct ProfileStore: Sendable {
    /// The namespace of the stored profile.
    package static let namespace = Settings.Namespace.profile

    let engine: HealthEngine

    /// Returns the stored profile; that of a new store is empty.
    package func read() throws -> Profile {
        try engine.storage.read { try read(in: $0) }
    }

    /// Changes the profile in one transaction.
    ///
    /// Nothing is written if `change` leaves the profile as it was or throws. `change` must not call the engine.
    package func update(_ change: (inout Profile) throws -> Void) throws {
        try engine.commit { transaction, pending in
            let before = try read(in: transaction)
            var profile = before
            try change(&profile)
            guard profile != before else { return }
            profile.goals.sort { $0.from < $1.from }
            try Settings.write(profile, namespace: Settings.Namespace.profile, key: Self.key, in: transaction)
            pending.settingsChanged = true
        }
    }

    /// Returns the units that the person chose, by type.
    func preferredUnits(in snapshot: any StorageSnapshot) throws -> [String: String] {
        // Most people have no profile, and there is a lot to one.
        guard try snapshot.value(namespace: Settings.Namespace.profile, key: Self.key) != nil else { return [:] }
        return try read(in: snapshot).preferredUnits
    }

    package func read(in snapshot: any StorageSnapshot) throws -> Profile {
        try Settings.read(Profile.self, namespace: Settings.Namespace.profile, key: Self.key, in: snapshot) ?? Profile()
    }

    private static let key = "profile"
}

extension HealthEngine {
    /// The profile of the store's person.
    package var profile: ProfileStore { ProfileStore(engine: self) }
}
