import Foundation
import HealthModel

/// The outcomes of the entries of a request. They contain names of types and members of the document, but no values.
package struct IngestTally: Sendable {
    /// The possible outcomes of a sample or object.
    package enum Fate: Int, CaseIterable {
        /// It was saved.
        case saved
        /// It replaced an earlier summary of the same period.
        case replaced
        /// It was stored before.
        case alreadyThere
        /// It wasn't saved, because summarized and single entries of the same time would be counted twice.
        case mixed
        /// It is part of a workout's series and wasn't saved, because samples of the same time are stored.
        case covered
        /// The caller may not write its type.
        case denied
    }

    /// A kind of entry that was not understood.
    struct Problem: Hashable {
        var path: String
        var name: String?
        var reason: String
        /// Whether what was understood of the entry was saved.
        var isSaved = false
    }

    private(set) var counts: [TypeCode: [Int]] = [:]
    private(set) var problems: [Problem: Int] = [:]
    /// The order in which problems occurred first.
    private(set) var problemOrder: [Problem] = []
    private(set) var problemCount = 0
    private static let maximumProblems = 200

    mutating func add(_ fate: Fate, of type: TypeCode, count: Int = 1) {
        guard count > 0 else { return }
        counts[type, default: Array(repeating: 0, count: Fate.allCases.count)][fate.rawValue] += count
    }

    /// Counts an entry that was not understood. Kinds beyond the first few hundred are counted together.
    mutating func add(_ problem: Problem) {
        problemCount += 1
        var problem = problem
        if problems[problem] == nil, problems.count >= Self.maximumProblems {
            problem = Problem(path: "data", name: nil, reason: "Further entries were not understood.")
        }
        if problems.updateValue((problems[problem] ?? 0) + 1, forKey: problem) == nil { problemOrder.append(problem) }
    }

    func count(_ fate: Fate) -> Int { counts.values.reduce(0) { $0 + $1[fate.rawValue] } }

    func types(with fate: Fate) -> [TypeCode] { counts.filter { $0.value[fate.rawValue] > 0 }.keys.sorted() }
}

/// The report of a request, as it is returned and kept.
package struct IngestReport: Codable, Hashable, Sendable {
    /// Counts of one type, or of all.
    package struct Counts: Codable, Hashable, Sendable {
        package var saved = 0
        package var replaced = 0
        package var alreadyThere = 0
        /// Not saved, because they would be counted twice beside entries of the other kind.
        package var mixed = 0
        /// Parts of a workout's series whose samples are stored.
        package var covered = 0
        package var denied = 0
    }

    /// Entries that were not understood for the same reason.
    package struct Unknown: Codable, Hashable, Sendable {
        /// The place in the document, such as `data.metrics`.
        package var path: String
        /// The name of the metric, symptom or workout, if it has one.
        package var name: String?
        package var reason: String
        package var count: Int
    }

    /// When the request was received.
    package var date: String
    /// The format: `health-auto-export` or `shortcuts`.
    package var format: String
    /// The bundle identifier of the application that posted.
    package var application: String
    /// The name of the automation and the identifier of its run, from the headers.
    package var automation: String?
    package var session: String?
    /// The period of summarized entries: `none`, `minute` to `year`, or `unknown` without a header.
    package var aggregation: String?
    package var total: Counts
    /// The number of entries that were not understood. They are kept; see `GET ingest/report`.
    package var notUnderstoodCount: Int
    /// By type identifier.
    package var types: [String: Counts]
    package var notUnderstood: [Unknown]
    /// Sentences about the request as a whole, such as that summarized and single entries of a type were mixed.
    package var remarks: [String]

    package init(
        date: String, format: String, application: String, automation: String? = nil, session: String? = nil,
        aggregation: String? = nil, tally: IngestTally
    ) {
        func identifier(_ type: TypeCode) -> String {
            TypeCatalog.description(for: type)?.identifier ?? type.description
        }
        self.date = date
        self.format = format
        self.application = application
        self.automation = automation.map { String($0.prefix(200)) }
        self.session = session.map { String($0.prefix(200)) }
        self.aggregation = aggregation
        func counts(_ figures: [Int]) -> Counts {
            func figure(_ fate: IngestTally.Fate) -> Int { figures[fate.rawValue] }
            return Counts(
                saved: figure(.saved), replaced: figure(.replaced), alreadyThere: figure(.alreadyThere),
                mixed: figure(.mixed), covered: figure(.covered), denied: figure(.denied))
        }
        total = counts(IngestTally.Fate.allCases.map { tally.count($0) })
        notUnderstoodCount = tally.problemCount
        types = [:]
        for (type, figures) in tally.counts { types[identifier(type)] = counts(figures) }
        notUnderstood = tally.problemOrder.map {
            Unknown(path: $0.path, name: $0.name, reason: $0.reason, count: tally.problems[$0] ?? 0)
        }
        remarks = []
        let mixed = tally.types(with: .mixed).map(identifier)
        if !mixed.isEmpty {
            remarks.append(
                "Summarized and single entries of the same time were posted for \(mixed.joined(separator: ", ")). Only those "
                    + "stored first were kept, so nothing is counted twice. Post one kind, or repeat the request with "
                    + "?mixed=replace to keep the new ones instead.")
        }
        let denied = tally.types(with: .denied).map(identifier)
        if !denied.isEmpty {
            remarks.append("The token may not write \(denied.joined(separator: ", ")).")
        }
    }
}
