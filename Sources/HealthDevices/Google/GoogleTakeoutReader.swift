import Foundation
import HealthFiles
import HealthJSON
import HealthModel

/// Reads the files of an archive of Google's, each after those that have the same in more detail.
struct GoogleTakeoutReader {
    /// Receives what was read when that is much; what is left is in the reading.
    typealias Emit = (FileContent) throws -> Void

    /// The zone of local times: the given one, else that of the archive's profile.
    private(set) var timeZone: TimeZone
    private let isZoneGiven: Bool
    let coverage: Coverage
    var sleeps = Periods()
    /// The types of Google Fit of which the archive has a merged stream.
    let mergedTypes: Set<Substring>
    /// When a sport was done whose distance isn't one on foot.
    var sports: [MeasuredType: Periods] = [:]
    /// The workouts and nights of Google Fit, of which other files may have more detail.
    var fitWorkouts: [GoogleWorkout] = []
    var fitNights: [(start: Double, end: Double, stages: [SampleRecord])] = []
    /// Nights of a table whose stages may be in another one.
    var nights: [Int64: SampleRecord] = [:]
    /// The nights of which a table has stages.
    var stagedNights: Set<Int64> = []
    /// The nights and stages of tables, which an archive may have once more in another file.
    var knownNights: Set<Int64> = []
    var knownStages: Set<NightStage> = []
    /// Weights whose unit nothing told so far.
    var weights: [FitbitWeight] = []
    var weightUnit: FitbitWeight.Unit?

    /// The number of samples that are in memory before they are emitted.
    static let largest = 1 << 19

    /// - Parameters:
    ///   - timeZone: The zone that the person gave; `nil` for that of the archive's profile, else the default one.
    ///   - mergedTypes: The types of Google Fit of which the archive has a merged stream.
    ///   - coverage: The minutes that were read.
    init(
        timeZone: TimeZone?, default zone: TimeZone, mergedTypes: Set<Substring> = [], coverage: Coverage = Coverage()
    ) {
        (self.timeZone, isZoneGiven) = (timeZone ?? zone, timeZone != nil)
        (self.mergedTypes, self.coverage) = (mergedTypes, coverage)
    }

    /// Reads a file.
    ///
    /// - Parameter recovers: Whether to keep what was read before an error of the bytes, such as a wrong checksum.
    /// - Throws: Errors of the bytes and of `emit`, after which nothing of the file should be kept.
    mutating func read(
        _ bytes: FileBytes, as file: GoogleFile, recovers: Bool = false, emit: Emit = { _ in }
    ) throws -> FileContent {
        var reading = FileContent()
        do {
            try read(bytes, as: file, into: &reading, emit)
        } catch let error as JSONSyntaxError {
            reading.damages.append(.init(error))
        } catch let failure as CSVReader.Failure {
            reading.damages.append(.init(offset: 0, line: failure.line, reason: failure.reason))
        } catch let error as ZipError where recovers {
            reading.damages.append(.init(offset: bytes.count, reason: "\(error)", isAnywhere: true))
        }
        return reading
    }

    private mutating func read(
        _ bytes: FileBytes, as file: GoogleFile, into content: inout FileContent, _ emit: Emit
    ) throws {
        switch file {
        case .list(let list): try readList(list, bytes.json(), into: &content)
        case .days(let days): try readDays(days, bytes.json(), into: &content)
        case .sleepLogs: try Self.readEach(bytes.json()) { readSleep($0, into: &content) }
        case .exerciseLogs: try Self.readEach(bytes.json()) { readExercise($0, into: &content) }
        case .weightLogs: try Self.readEach(bytes.json()) { readWeight($0, into: &content) }
        case .fitData, .fitActivities: try readFitData(bytes.json(), into: &content, emit)
        case .fitSession:
            var json = bytes.json()
            let session = try json.value()
            readFitSession(session, into: &content)
            try json.end()
        case .table(let table): try readTable(table, bytes, into: &content)
        case .sleepTable: try readNights(bytes, into: &content)
        case .sleepStageTable: try readStages(bytes, into: &content)
        case .exerciseTable: try readExercises(bytes, into: &content)
        case .profile: try readProfile(bytes)
        case .scores:
            var count = 0
            try bytes.table().forEachRow({ $0.isEmpty ? nil : 0 }) { _, _ in count += 1 }
            if count > 0 { content.leaveOut("score", count: count) }
        case .leftOut(let what): content.leaveOut("file of \(what)")
        }
    }

    /// The content that is only known when every file was read.
    mutating func finish() -> FileContent {
        var content = FileContent()
        content.samples = nights.values.sorted { $0.start < $1.start }
        for weight in weights { add(weight, into: &content) }
        for night in fitNights { addFitNight(night, into: &content) }
        for workout in fitWorkouts { content.append(workout) }
        (nights, weights, fitNights, fitWorkouts) = ([:], [], [], [])
        return content
    }

    /// Calls `body` with each element of an array.
    private static func readEach(_ reader: consuming JSONReader, _ body: (JSONValue) -> Void) throws {
        var json = reader
        try json.array { json, _ in body(try json.value()) }
        try json.end()
    }

    private mutating func readProfile(_ bytes: FileBytes) throws {
        var found: TimeZone?
        try bytes.table().forEachRow({ $0.firstIndex(of: "timezone") }) { fields, column in
            found = found ?? TimeZone(identifier: fields.text(column))
        }
        if !isZoneGiven, let found { timeZone = found }
    }

    // MARK: - What readers share

    /// The instants of the local day with this number.
    func instants(ofDay day: Int) -> (start: Double, end: Double) {
        let clock = LocalClock(timeZone: timeZone)
        return (Double(clock.start(ofDay: day)), Double(clock.start(ofDay: day + 1)))
    }
}

/// The raw values of a sleep analysis.
enum SleepValue: Int, Sendable {
    case inBed = 0
    case asleep = 1
    case awake = 2
    case core = 3
    case deep = 4
    case rem = 5

    /// The value of a stage as Fitbit and Google call it; `nil` for an unknown one. Who is restless isn't asleep: Fitbit
    /// doesn't count it as such.
    init?(called name: String) {
        guard let value = Self.names[name.lowercased()] else { return nil }
        self = value
    }
}
