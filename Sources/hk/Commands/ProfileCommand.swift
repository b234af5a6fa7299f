import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk profile`: characteristics, goals and units of the person.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change what the store knows of its person.",
        discussion: """
              hk profile
              hk profile --birth-date 1987-05-04 --sex female
              hk profile --move-goal 500 --exercise-goal 30 --stand-goal 12
              hk profile --prefer bodyMass=lb --prefer height=in

            Goals hold from today on, or from the day --goals-from names.
            """)

    @Option(name: .long, help: "Date of birth, such as 1987-05-04; “none” forgets it.")
    var birthDate: String?

    @Option(name: .long, help: "female, male, other or none.")
    var sex: String?

    @Option(name: .long, help: "A+, A-, B+, B-, AB+, AB-, O+, O- or none.")
    var bloodType: String?

    @Option(name: .long, help: "Fitzpatrick skin type, I to VI, or none.")
    var skinType: String?

    @Option(name: .long, help: "yes, no or none.")
    var wheelchair: String?

    @Option(name: .long, help: "energy or time: what drives the Move ring.")
    var moveMode: String?

    @Option(name: .long, help: "Kilocalories a day; minutes where move mode is time.")
    var moveGoal: Double?

    @Option(name: .long, help: "Minutes a day.")
    var exerciseGoal: Double?

    @Option(name: .long, help: "Hours a day with a stand.")
    var standGoal: Double?

    @Option(name: .long, help: "The day from which the goals hold.")
    var goalsFrom: String?

    @Option(name: .long, help: "A unit to show a type in, TYPE=UNIT; may be repeated.")
    var prefer: [String] = []

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if [moveGoal, exerciseGoal, standGoal].contains(where: { ($0 ?? 0) < 0 || !($0 ?? 0).isFinite }) {
            throw ValidationError("A goal is 0 or more.")
        }
        if goalsFrom != nil, moveGoal == nil, exerciseGoal == nil, standGoal == nil {
            throw ValidationError("--goals-from wants a goal beside it.")
        }
    }

    func run() throws {
        let engine = try options.openEngine(making: true)
        let dictionaries = try engine.dictionaries()
        if hasChanges {
            try engine.updateProfile { profile in try change(&profile, dictionaries) }
        }
        let profile = try engine.profile()
        if options.json {
            try JSONOutput.print(ProfileListing(profile: profile).answer)
        } else {
            print(ProfileListing(profile: profile).text, terminator: "")
        }
    }

    private var hasChanges: Bool {
        birthDate != nil || sex != nil || bloodType != nil || skinType != nil || wheelchair != nil || moveMode != nil
            || moveGoal != nil || exerciseGoal != nil || standGoal != nil || !prefer.isEmpty
    }

    private func change(_ profile: inout Profile, _ dictionaries: StoreDictionaries) throws {
        let calendar = RangeOptions.machineCalendar
        let text = DateText(calendar: calendar, now: Present.now)
        func day(_ date: Date) -> Profile.Day {
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            return Profile.Day(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
        }
        if let birthDate {
            let birth = birthDate == "none" ? nil : try text.span(birthDate, option: "--birth-date").start
            if let birth, birth > text.now { throw UsageError("--birth-date “\(birthDate)” is yet to come.") }
            profile.dateOfBirth = birth.map(day)
        }
        profile.biologicalSex = try choice(sex, ProfileListing.sexes, "--sex", profile.biologicalSex)
        profile.bloodType = try choice(bloodType, ProfileListing.bloodTypes, "--blood-type", profile.bloodType)
        profile.fitzpatrickSkinType = try choice(
            skinType, ProfileListing.skinTypes, "--skin-type", profile.fitzpatrickSkinType)
        profile.wheelchairUse = try choice(wheelchair, ProfileListing.wheelchair, "--wheelchair", profile.wheelchairUse)
        profile.activityMoveMode = try choice(moveMode, ProfileListing.moveModes, "--move-mode", profile.activityMoveMode)
        if moveGoal != nil || exerciseGoal != nil || standGoal != nil {
            let from = try goalsFrom.map { day(try text.span($0, option: "--goals-from").start) } ?? day(text.now)
            let isTime = profile.activityMoveMode == 2
            profile.setGoals(
                ActivityGoals(
                    from: from, moveEnergy: isTime ? nil : moveGoal, moveTime: isTime ? moveGoal : nil,
                    exercise: exerciseGoal, stand: standGoal))
        }
        for entry in prefer {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else { throw UsageError("--prefer “\(entry)” is wanted as TYPE=UNIT.") }
            let type = try TypeName.resolve(parts[0], dictionaries: dictionaries)
            guard let canonical = type.canonicalUnit, let unit = try? UnitExpression(parsing: parts[1]),
                let own = try? UnitExpression(parsing: canonical), unit.isCompatible(with: own)
            else { throw UsageError("“\(parts[1])” is no unit of \(TypeName.short(type.identifier)).") }
            profile.preferredUnits[type.identifier] = parts[1]
        }
    }

    private func choice(_ text: String?, _ names: [Int: String], _ option: String, _ old: Int?) throws -> Int? {
        guard let text else { return old }
        if text == "none" { return nil }
        guard let value = names.first(where: { $0.value.lowercased() == text.lowercased() })?.key else {
            let wanted = names.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
            throw UsageError("\(option) “\(text)” is not known; wanted is one of \(wanted) or none.")
        }
        return value
    }
}
