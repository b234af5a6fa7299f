import HealthFormats
import HealthJSON

/// A task that a person chooses in an assistant, written out with the tools that it needs.
struct AssistantPrompt: Sendable {
    let name: String
    fileprivate let title: String
    fileprivate let about: String
    /// The argument that the person can give: its name and its meaning.
    fileprivate let argument: (name: String, about: String)
    fileprivate let text: String

    static let all = [
        AssistantPrompt(
            name: "weekly_summary", title: "My week",
            about: "Sums up the last seven days, and what was unusual about them.",
            argument: ("focus", "What matters most, such as sleep or steps."),
            text: """
                Sum up my last seven days in a few sentences. Ask get_highlights for what stands out, get_sleep and get_statistics of \
                steps, active energy and resting heart rate with compare=previous, get_activity_rings, and get_workouts. Say what \
                changed against the week before, how many days have data where some are missing (coverage), and one thing that went \
                well. Don’t diagnose.
                """),
        AssistantPrompt(
            name: "doctor_visit", title: "Prepare a visit to the doctor",
            about: "Gathers what a doctor asks for: measurements of three months, lab results, sleep and activity.",
            argument: ("reason", "The reason for the visit, such as high blood pressure."),
            text: """
                Prepare a page for my visit to the doctor. Of the last three months, take blood pressure, resting heart rate, weight and \
                blood oxygen from get_statistics with interval=week, sleep from get_sleep with interval=week, and workouts from \
                get_workout_weeks; add get_lab_results, get_electrocardiograms and what get_characteristics has. Show averages with \
                ranges, units and dates, and the number of days with data (coverage). Leave out what has no data. End with questions \
                that I could ask. Don’t diagnose.
                """),
        AssistantPrompt(
            name: "training_review", title: "Review my training",
            about: "Reviews the workouts of twelve weeks: volume, load, pace, records and recovery.",
            argument: ("goal", "What the training is for, such as a half marathon in May."),
            text: """
                Review my training of the last twelve weeks. Take volume and load from get_workout_weeks with load=true, the best \
                efforts from get_workout_records with distances=true, single workouts from get_workouts, and recovery from get_sleep \
                with interval=week and get_statistics of resting heart rate and heart rate variability with interval=week. Say what \
                grew, what stagnated, and whether load and recovery fit, with figures. Suggest next week’s sessions.
                """),
    ]
}

extension JSONText {
    /// Writes a prompt for `prompts/list`.
    mutating func prompt(_ prompt: AssistantPrompt) {
        object { json in
            json.member("name", text: prompt.name)
            json.member("title", text: prompt.title)
            json.member("description", text: prompt.about)
            json.array("arguments") { json in
                json.object { json in
                    json.member("name", text: prompt.argument.name)
                    json.member("description", text: prompt.argument.about)
                }
            }
        }
    }

    /// Writes the members of the answer to `prompts/get`.
    mutating func members(of prompt: AssistantPrompt, _ arguments: JSONValue?) {
        let given = arguments?[prompt.argument.name]?.text.map { " My \(prompt.argument.name): \($0)" } ?? ""
        member("description", text: prompt.about)
        array("messages") { json in
            json.object { json in
                json.member("role", text: "user")
                json.object("content") { json in
                    json.member("type", text: "text")
                    json.member("text", text: prompt.text + given)
                }
            }
        }
    }
}
