import ArgumentParser
import Foundation
import HealthEngine
import HealthModel

/// `hk sources`: the sources of a type in order of priority.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List the sources of a type, or change their order.",
        discussion: """
            Where several sources measured at the same time, merged statistics use the one that comes first in \
            this list. By default, data entered by hand comes first, then Apple Watch, iPhone and the others, \
            the most recent first.

              hk sources
              hk sources --type stepCount
              hk sources --type stepCount --order "Mia’s iPhone,Mia’s Apple Watch"
              hk sources --type stepCount --off "Old Pedometer"
            """)

    @OptionGroup var options: StoreOptions

    @Option(name: .long, help: "The data type.", completion: TypeCompletion.name)
    var type: String?

    @Option(
        name: .long,
        help: "Names or bundle identifiers, highest priority first, separated by commas. Other sources follow.")
    var order: String?

    @Option(name: .long, help: "Sources to ignore, separated by commas.")
    var off: String?

    @Flag(name: .long, help: "Restore the default order.")
    var reset = false

    private struct Answer: Encodable {
        var type: String
        var rank: Int
        var bundleIdentifier: String
        var name: String
        var count: Int
        var isEnabled: Bool
    }

    func validate() throws {
        if type == nil, order != nil || off != nil || reset {
            throw ValidationError("--order, --off and --reset require --type.")
        }
    }

    func run() throws {
        let engine = try options.openEngine(creating: order != nil || off != nil || reset)
        let types: [TypeDescription]
        if let type {
            types = [try TypeName.resolve(type, dictionaries: engine.dictionaries())]
            try change(types[0], engine)
        } else {
            types = try engine.typeOverview(as: .person).map(\.type).filter { $0.kind == .quantity }
        }
        let answers = try types.flatMap { type in
            try engine.sources.order(of: type.code).enumerated().map { index, entry in
                Answer(
                    type: type.identifier, rank: index + 1, bundleIdentifier: entry.source.bundleIdentifier,
                    name: entry.source.name, count: entry.count, isEnabled: entry.isEnabled)
            }
        }
        guard !options.json else { return try JSONOutput.print(answers) }
        var table = Table([
            .init(title: "type"), .init(title: "place", isNumber: true), .init(title: "source"),
            .init(title: "bundle identifier"), .init(title: "samples", isNumber: true),
        ])
        var last = ""
        for answer in answers {
            table.add([
                answer.type == last ? "" : TypeName.short(answer.type), answer.isEnabled ? "\(answer.rank)" : "off",
                answer.name, answer.bundleIdentifier, NumberOutput.grouped(answer.count),
            ])
            last = answer.type
        }
        print(answers.isEmpty ? "No sources.\n" : table.text(), terminator: "")
    }

    private func change(_ type: TypeDescription, _ engine: HealthEngine) throws {
        guard order != nil || off != nil || reset else { return }
        let entries = try engine.sources.order(of: type.code)
        guard !reset else { return try engine.sources.setOrder([], disabled: [], of: type.code) }
        let first = try (order ?? "").split(separator: ",").map { try find(String($0), entries) }
        let disabled = Set(try (off ?? "").split(separator: ",").map { try find(String($0), entries) })
        let rest = entries.map(\.source.bundleIdentifier).filter { !first.contains($0) }
        try engine.sources.setOrder(first + rest, disabled: disabled, of: type.code)
    }

    /// The bundle identifier of the source with this name or identifier.
    private func find(_ text: String, _ entries: [SourceOrderEntry]) throws -> String {
        let wanted = Self.folded(text)
        let found = entries.filter {
            Self.folded($0.source.name) == wanted || $0.source.bundleIdentifier.lowercased() == wanted
        }
        guard let source = found.first?.source else {
            let names = entries.map(\.source.name).joined(separator: ", ")
            throw UsageError("“\(text)” is not a source of this type. Its sources are \(names).")
        }
        return source.bundleIdentifier
    }

    /// A name folded for comparison: without case, with plain spaces and apostrophes.
    private static func folded(_ text: String) -> String {
        text.trimmingCharacters(in: .whitespaces).lowercased()
            .replacing("\u{A0}", with: " ").replacing("’", with: "'")
    }
}
