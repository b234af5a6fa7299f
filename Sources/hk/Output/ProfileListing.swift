import HealthEngine
import HealthModel

/// A profile as text or as JSON.
struct ProfileListing {
    static let sexes = [1: "female", 2: "male", 3: "other"]
    static let bloodTypes = [1: "A+", 2: "A-", 3: "B+", 4: "B-", 5: "AB+", 6: "AB-", 7: "O+", 8: "O-"]
    static let skinTypes = [1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI"]
    static let wheelchair = [1: "no", 2: "yes"]
    static let moveModes = [1: "energy", 2: "time"]

    let profile: Profile

    struct Answer: Encodable {
        struct Goals: Encodable {
            var from: String
            var activeEnergyBurnedGoal: Double?
            var appleMoveTimeGoal: Double?
            var exerciseTimeGoal: Double?
            var standHoursGoal: Double?
        }

        var dateOfBirth: String?
        var biologicalSex: String?
        var bloodType: String?
        var fitzpatrickSkinType: String?
        var wheelchairUse: String?
        var activityMoveMode: String?
        var goals: [Goals]
        var preferredUnits: [String: String]
    }

    var answer: Answer {
        Answer(
            dateOfBirth: profile.dateOfBirth.map(text), biologicalSex: name(profile.biologicalSex, Self.sexes),
            bloodType: name(profile.bloodType, Self.bloodTypes),
            fitzpatrickSkinType: name(profile.fitzpatrickSkinType, Self.skinTypes),
            wheelchairUse: name(profile.wheelchairUse, Self.wheelchair),
            activityMoveMode: name(profile.activityMoveMode, Self.moveModes),
            goals: profile.goals.map {
                Answer.Goals(
                    from: text($0.from), activeEnergyBurnedGoal: $0.moveEnergy, appleMoveTimeGoal: $0.moveTime,
                    exerciseTimeGoal: $0.exercise, standHoursGoal: $0.stand)
            }, preferredUnits: profile.preferredUnits)
    }

    var text: String {
        let answer = answer
        var table = Table([.init(title: "characteristic"), .init(title: "value")])
        table.add(["date of birth", answer.dateOfBirth ?? "–"])
        table.add(["biological sex", answer.biologicalSex ?? "–"])
        table.add(["blood type", answer.bloodType ?? "–"])
        table.add(["Fitzpatrick skin type", answer.fitzpatrickSkinType ?? "–"])
        table.add(["wheelchair", answer.wheelchairUse ?? "–"])
        table.add(["move mode", answer.activityMoveMode ?? "–"])
        for goals in answer.goals {
            let parts = [
                goals.activeEnergyBurnedGoal.map { "move \(NumberOutput.text($0, digits: 0)) kcal" },
                goals.appleMoveTimeGoal.map { "move \(NumberOutput.text($0, digits: 0)) min" },
                goals.exerciseTimeGoal.map { "exercise \(NumberOutput.text($0, digits: 0)) min" },
                goals.standHoursGoal.map { "stand \(NumberOutput.text($0, digits: 0)) h" },
            ].compactMap { $0 }
            table.add(["goals from \(goals.from)", parts.joined(separator: ", ")])
        }
        for (type, unit) in answer.preferredUnits.sorted(by: { $0.key < $1.key }) {
            table.add(["unit of \(TypeName.short(type))", unit])
        }
        return table.text()
    }

    private func name(_ value: Int?, _ names: [Int: String]) -> String? {
        value.flatMap { names[$0] }
    }

    private func text(_ day: Profile.Day) -> String {
        func two(_ number: Int) -> String { number < 10 ? "0\(number)" : "\(number)" }
        return "\(day.year)-\(two(day.month))-\(two(day.day))"
    }
}
