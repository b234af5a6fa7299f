import HealthFiles

/// Reads Strava's list of activities and the files that it names.
final class StravaReader: FileReader {
    /// The lists, by the names of their files.
    private var lists: [String: StravaList] = [:]
    /// The activities of the lists that have a file, by the file's name.
    private var activities: [String: StravaActivity] = [:]
    /// The names of the files that there are.
    private var names: Set<String> = []

    func prepare(_ files: [CandidateFile]) {
        names = Set(files.map(\.plainName))
        for file in files where file.isAlone || file.lastName.contains("activities") {
            // Under another name, a list is only recognized in a known language.
            guard file.lastName == "activities.csv" || StravaColumns(header: file.header, row: nil) != nil,
                let list = (try? StravaList(file.file.pieces)) ?? nil
            else { continue }
            lists[file.name] = list
            for activity in list.activities {
                if let name = name(of: activity, in: file.name) { activities[name] = activity }
            }
        }
    }

    /// The name of an activity's file, by that of the list.
    private func name(of activity: StravaActivity, in list: String) -> String? {
        guard let file = activity.file?.lowercased() else { return nil }
        let folder = list.lastIndex(of: "/").map { list[...$0].lowercased() } ?? ""
        return folder + (file.hasSuffix(".gz") ? String(file.dropLast(3)) : file)
    }

    func recognize(_ file: CandidateFile) -> Recognition? {
        if let list = lists[file.name] {
            return .reads(.total, type: "CSV") { try $1(self.rest(of: list, named: file.name)) }
        }
        guard let activity = activities[file.plainName] else { return nil }
        return .readsRecordings(type: ActivityFileReader.type(of: file)) { context, yield in
            var content = FileContent()
            do {
                content = try ActivityFileReader.read(file.file, context)
            } catch let error as FileReadingError {
                let reason = "\(error.reason); its workout has the figures of the list of activities"
                content.damages = [.init(offset: 0, reason: reason)]
            }
            activity.complete(&content)
            try yield(content)
        }
    }

    /// The activities of a list without a file, as workouts by its figures.
    private func rest(of list: StravaList, named name: String) -> FileContent {
        var content = FileContent()
        content.damages = list.damages
        let hasFiles = activities.keys.contains(where: names.contains)
        for activity in list.activities {
            let file = self.name(of: activity, in: name)
            if let file, names.contains(file) { continue }
            if file != nil, hasFiles { content.leaveOut("file of an activity, which the archive doesn’t have") }
            content.objects.append(activity.workout)
        }
        return content
    }
}
