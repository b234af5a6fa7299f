import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// The option for the sources of the samples that a command reads.
struct SourceOptions: ParsableArguments {
    @Option(
        name: .long,
        help: "Read only samples of this source: its bundle identifier, its name or a part of it. Can be repeated.")
    var source: [String] = []

    /// The bundle identifiers; `nil` for all sources.
    func identifiers(_ dictionaries: StoreDictionaries) throws -> [String]? {
        guard !source.isEmpty else { return nil }
        return try source.flatMap {
            try Self.identifiers($0, among: dictionaries.sources, of: "this store", partly: true)
        }
    }

    /// The parameter of questions.
    func parameters(_ dictionaries: StoreDictionaries) throws -> [String: String?] {
        ["source": try identifiers(dictionaries)?.joined(separator: ",")]
    }

    /// The bundle identifiers of the sources with this name or identifier, at least one.
    ///
    /// - Parameter partly: Whether a part of the name is enough, such as `watch`.
    static func identifiers(
        _ text: String, among sources: [SourceRecord], of what: String, partly: Bool = false
    ) throws -> [String] {
        let wanted = folded(text)
        var found = sources.filter { folded($0.name) == wanted || $0.bundleIdentifier.lowercased() == wanted }
        if found.isEmpty, partly, !wanted.isEmpty { found = sources.filter { folded($0.name).contains(wanted) } }
        guard found.isEmpty else { return found.map(\.bundleIdentifier) }
        var named: Set<String> = []
        let names = sources.map(\.name).filter { named.insert($0).inserted }.joined(separator: ", ")
        throw UsageError("“\(text)” is not a source of \(what). Its sources are \(names).")
    }

    /// A name folded for comparison: without case, with plain spaces and apostrophes.
    private static func folded(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespaces).lowercased()
            .replacing("\u{A0}", with: " ").replacing("’", with: "'")
    }
}
