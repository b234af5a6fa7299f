extension Profile {
    /// Enters goals, joined with those of the same day if there are any.
    public mutating func setGoals(_ new: ActivityGoals) {
        var entry = new
        if let index = goals.firstIndex(where: { $0.from == new.from }) {
            let old = goals.remove(at: index)
            entry.moveEnergy = new.moveEnergy ?? old.moveEnergy
            entry.moveTime = new.moveTime ?? old.moveTime
            entry.exercise = new.exercise ?? old.exercise
            entry.stand = new.stand ?? old.stand
        }
        goals.append(entry)
        goals.sort { $0.from < $1.from }
    }

    /// The goals in force on a day: each figure from the latest entry at or before it that has one.
    public func goals(on day: Day) -> ActivityGoals {
        var result = ActivityGoals(from: day)
        for entry in goals where entry.from <= day {
            result.moveEnergy = entry.moveEnergy ?? result.moveEnergy
            result.moveTime = entry.moveTime ?? result.moveTime
            result.exercise = entry.exercise ?? result.exercise
            result.stand = entry.stand ?? result.stand
        }
        return result
    }
}
