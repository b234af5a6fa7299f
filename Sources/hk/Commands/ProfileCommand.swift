import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk profile`: the person's characteristics, goals and preferred units.
struct ProfileCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "profile", abstract: "Show or change characteristics, goals, units and the time zone.",
        discussion: """
              hk profile
              hk profile --birth-date 1987-05-04 --sex female
              hk profile --move-goal 500 --exercise-goal 30 --stand-goal 12
              hk profile --prefer bodyMass=lb --prefer height=in
              hk profile --zones heartRate=110,130,150,170
              hk profile --time-zone Europe/Berlin

            Goals apply from today, or from the day given by --goals-from.
            """)

    @Option(name: .long, help: "Date of birth, such as 1987-05-04, or none.")
    var birthDate: String?

    @Option(name: .long, help: "female, male, other or none.")
    var sex: String?

    @Option(
        name: .long, help: "The sex whose reference ranges apply: female, male or none. Beta (iOS 27.3).")
    var referenceSex: String?

    @Option(name: .long, help: "A+, A-, B+, B-, AB+, AB-, O+, O- or none.")
    var bloodType: String?

    @Option(name: .long, help: "Fitzpatrick skin type, I to VI, or none.")
    var skinType: String?

    @Option(name: .long, help: "yes, no or none.")
    var wheelchair: String?

    @Option(name: .long, help: "What the Move ring measures: energy or time.")
    var moveMode: String?

    @Option(name: .long, help: "Kilocalories per day, or minutes if the move mode is time.")
    var moveGoal: Double?

    @Option(name: .long, help: "Minutes per day.")
    var exerciseGoal: Double?

    @Option(name: .long, help: "Stand hours per day.")
    var standGoal: Double?

    @Option(name: .long, help: "The first day of the goals.")
    var goalsFrom: String?

    @Option(name: .long, help: "The preferred unit of a type, TYPE=UNIT. Can be repeated.")
    var prefer: [String] = []

    @Option(
        name: .long,
        help:
            "The boundaries of workout zones, heartRate=BPM,BPM,… or cyclingPower=W,W,…, or TYPE=none. Can be repeated."
    )
    var zones: [String] = []

    @Option(
        name: .long,
        help:
            "The time zone in which the person’s days begin, such as Europe/Berlin, or none for that of the machine.")
    var timeZone: String?

    @OptionGroup var options: StoreOptions

    func validate() throws {
        if timeZone != "none" { try TimeZoneArgument.validate(timeZone) }
        if [moveGoal, exerciseGoal, standGoal].contains(where: { ($0 ?? 0) < 0 || !($0 ?? 0).isFinite }) {
            throw ValidationError("A goal must be 0 or more.")
        }
        if goalsFrom != nil, moveGoal == nil, exerciseGoal == nil, standGoal == nil {
            throw ValidationError("--goals-from requires a goal.")
        }
    }

    func run() throws {
        let engine = try options.openEngine(creating: hasChanges || timeZone != nil)
        let dictionaries = try engine.dictionaries()
        if let timeZone {
            try engine.imports.setMetadata([ImportHistory.timeZoneKey: timeZone == "none" ? "" : timeZone])
        }
        let zone = try engine.imports.metadata(ImportHistory.timeZoneKey).flatMap { TimeZone(identifier: $0) }
        if hasChanges {
            let calendar = DateArgument.calendar(in: zone ?? .current)
            try engine.profile.update { profile in try change(&profile, dictionaries, calendar) }
        }
        let listing = ProfileListing(profile: try engine.profile.read(), timeZone: zone?.identifier)
        if options.json { try JSONOutput.print(listing.answer) } else { print(listing.text, terminator: "") }
    }

    private var hasChanges: Bool {
        birthDate != nil || sex != nil || referenceSex != nil || bloodType != nil || skinType != nil
            || wheelchair != nil
            || moveMode != nil || moveGoal != nil || exerciseGoal != nil || standGoal != nil || !prefer.isEmpty
            || !zones.isEmpty
    }

    private func change(_ profile: inout Profile, _ dictionaries: StoreDictionaries, _ calendar: Calendar) throws {
        let text = DateArgument(calendar: calendar)
        func day(_ date: Date) -> Profile.Day {
            let parts = calendar.dateComponents([.year, .month, .day], from: date)
            return Profile.Day(year: parts.year ?? 0, month: parts.month ?? 0, day: parts.day ?? 0)
        }
        if let birthDate {
            let birth = birthDate == "none" ? nil : try text.span(birthDate, option: "--birth-date").start
            if let birth, birth > text.now { throw UsageError("--birth-date: “\(birthDate)” is in the future.") }
            profile.dateOfBirth = birth.map(day)
        }
        profile.biologicalSex = try choice(sex, ProfileListing.sexes, "--sex", profile.biologicalSex)
        profile.referenceSex = try choice(
            referenceSex, ProfileListing.referenceSexes, "--reference-sex", profile.referenceSex)
        profile.bloodType = try choice(bloodType, ProfileListing.bloodTypes, "--blood-type", profile.bloodType)
        profile.fitzpatrickSkinType = try choice(
            skinType, ProfileListing.skinTypes, "--skin-type", profile.fitzpatrickSkinType)
        profile.wheelchairUse = try choice(wheelchair, ProfileListing.wheelchair, "--wheelchair", profile.wheelchairUse)
        profile.activityMoveMode = try choice(
            moveMode, ProfileListing.moveModes, "--move-mode", profile.activityMoveMode)
        if moveGoal != nil || exerciseGoal != nil || standGoal != nil {
            let from = try goalsFrom.map { day(try text.span($0, option: "--goals-from").start) } ?? day(text.now)
            let isTime = profile.activityMoveMode == 2
            profile.setGoals(
                ActivityGoals(
                    from: from, moveEnergy: isTime ? nil : moveGoal, moveTime: isTime ? moveGoal : nil,
                    exercise: exerciseGoal, stand: standGoal))
        }
        for entry in zones { try setZones(entry, &profile) }
        for entry in prefer {
            let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
            guard parts.count == 2 else {
                throw UsageError("--prefer: “\(entry)” is not a preference. Use the form TYPE=UNIT.")
            }
            let type = try TypeName.resolve(parts[0], dictionaries: dictionaries)
            guard let canonical = type.canonicalUnit, let unit = try? UnitExpression(words: parts[1], of: type),
                let own = try? UnitExpression(parsing: canonical), unit.isCompatible(with: own)
            else { throw UsageError("“\(parts[1])” is not a unit of \(TypeName.short(type.identifier)).") }
            profile.preferredUnits[type.identifier] = unit.string
        }
    }

    /// Two to eight boundaries in ascending order, or none.
    private func setZones(_ entry: String, _ profile: inout Profile) throws {
        let parts = entry.split(separator: "=", maxSplits: 1).map(String.init)
        let type = ["heartRate", "cyclingPower"].first { $0.lowercased() == parts.first?.lowercased() }
        guard parts.count == 2, let type else {
            throw UsageError("--zones: “\(entry)” is not a list of zones. Use a form like heartRate=110,130,150,170.")
        }
        let identifier = "HKQuantityTypeIdentifier" + type.prefix(1).uppercased() + type.dropFirst()
        var all = profile.workoutZones ?? [:]
        if parts[1] == "none" {
            all[identifier] = nil
        } else {
            let words = parts[1].split(separator: ",", omittingEmptySubsequences: false)
            let numbers = words.compactMap { Double($0) }.filter { $0.isFinite && $0 > 0 }
            guard (2...8).contains(words.count), numbers.count == words.count,
                zip(numbers, numbers.dropFirst()).allSatisfy({ $0 < $1 })
            else {
                throw UsageError("--zones: “\(parts[1])” is not a list of two to eight numbers in ascending order.")
            }
            all[identifier] = numbers
        }
        profile.workoutZones = all.isEmpty ? nil : all
    }

    private func choice(_ text: String?, _ names: [Int: String], _ option: String, _ old: Int?) throws -> Int? {
        guard let text else { return old }
        if text == "none" { return nil }
        guard let value = names.first(where: { $0.value.lowercased() == text.lowercased() })?.key else {
            let wanted = names.sorted { $0.key < $1.key }.map(\.value).joined(separator: ", ")
            throw UsageError("\(option): “\(text)” is not a known value. Use one of \(wanted) or none.")
        }
        return value
    }
}

/// A profile as text or as JSON.
struct ProfileListing {
    static let sexes = [1: "female", 2: "male", 3: "other"]
    static let referenceSexes = [1: "female", 2: "male"]
    static let bloodTypes = [1: "A+", 2: "A-", 3: "B+", 4: "B-", 5: "AB+", 6: "AB-", 7: "O+", 8: "O-"]
    static let skinTypes = [1: "I", 2: "II", 3: "III", 4: "IV", 5: "V", 6: "VI"]
    static let wheelchair = [1: "no", 2: "yes"]
    static let moveModes = [1: "energy", 2: "time"]

    let profile: Profile
    /// The person's time zone; `nil` for that of the machine.
    let timeZone: String?

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
        var referenceSex: String?
        var bloodType: String?
        var fitzpatrickSkinType: String?
        var wheelchairUse: String?
        var activityMoveMode: String?
        var timeZone: String?
        var goals: [Goals]
        var preferredUnits: [String: String]
        var workoutZones: [String: [Double]]?
    }

    var answer: Answer {
        Answer(
            dateOfBirth: profile.dateOfBirth.map(text), biologicalSex: name(profile.biologicalSex, Self.sexes),
            referenceSex: name(profile.referenceSex, Self.referenceSexes),
            bloodType: name(profile.bloodType, Self.bloodTypes),
            fitzpatrickSkinType: name(profile.fitzpatrickSkinType, Self.skinTypes),
            wheelchairUse: name(profile.wheelchairUse, Self.wheelchair),
            activityMoveMode: name(profile.activityMoveMode, Self.moveModes), timeZone: timeZone,
            goals: profile.goals.map {
                Answer.Goals(
                    from: text($0.from), activeEnergyBurnedGoal: $0.moveEnergy, appleMoveTimeGoal: $0.moveTime,
                    exerciseTimeGoal: $0.exercise, standHoursGoal: $0.stand)
            }, preferredUnits: profile.preferredUnits, workoutZones: profile.workoutZones)
    }

    var text: String {
        let answer = answer
        var table = Table(["characteristic", "value"])
        table.add(["date of birth", answer.dateOfBirth ?? "–"])
        table.add(["biological sex", answer.biologicalSex ?? "–"])
        if let sex = answer.referenceSex { table.add(["reference sex", sex]) }
        table.add(["blood type", answer.bloodType ?? "–"])
        table.add(["Fitzpatrick skin type", answer.fitzpatrickSkinType ?? "–"])
        table.add(["wheelchair", answer.wheelchairUse ?? "–"])
        table.add(["move mode", answer.activityMoveMode ?? "–"])
        table.add(["time zone", answer.timeZone ?? "\(TimeZone.current.identifier) (of this machine)"])
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
        for (type, boundaries) in (answer.workoutZones ?? [:]).sorted(by: { $0.key < $1.key }) {
            let text = boundaries.map { NumberOutput.text($0, digits: 0) }.joined(separator: ", ")
            table.add(["zones of \(TypeName.short(type))", text])
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
