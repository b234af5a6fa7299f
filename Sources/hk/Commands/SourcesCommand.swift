import ArgumentParser
import Foundation
import HealthEngine
import HealthModel
import HealthImport

/// `hk sources`: the sources of a type in order of priority.
struct SourcesCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "sources", abstract: "List the sources of a type, or change their order.",
        discussion: """
            Where several sources measured at the same time, merged statistics use the one that comes first in \
            this list. By default, data entered by hand comes first, then Apple Watch, iPhone and the others, \
            the most recent first.

              hk sources
              hk sources --by-app
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

    @Flag(name: .long, help: "List each app and device once, with the number of its types and samples.")
    var byApp = false

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

    /// The contents of one app or device.
    private struct App: Encodable {
        var bundleIdentifier: String
        var name: String
        var types: Int
        var count: Int
    }

    private func printApps(_ engine: HealthEngine) throws {
        var apps: [String: App] = [:]
        for overview in try engine.typeOverview(as: .person) {
            for entry in try engine.sources.order(of: overview.type.code) {
                var app =
                    apps[entry.source.bundleIdentifier]
                    ?? App(bundleIdentifier: entry.source.bundleIdentifier, name: entry.source.name, types: 0, count: 0)
                app.types += 1
                app.count += entry.count
                apps[entry.source.bundleIdentifier] = app
            }
        }
        let all = apps.values.sorted { ($1.count, $0.bundleIdentifier) < ($0.count, $1.bundleIdentifier) }
        guard !options.json else { return try JSONOutput.print(all) }
        var table = Table(["source", "bundle identifier", .number("types"), .number("samples")])
        for app in all {
            table.add([app.name, app.bundleIdentifier, "\(app.types)", NumberOutput.grouped(app.count)])
        }
        print(all.isEmpty ? "No sources.\n" : table.text(), terminator: "")
    }

    func validate() throws {
        if byApp, type != nil { throw ValidationError("--by-app is for all types.") }
        if type == nil, order != nil || off != nil || reset {
            throw ValidationError("--order, --off and --reset require --type.")
        }
    }

    func run() throws {
        let engine = try options.openEngine(creating: order != nil || off != nil || reset)
        guard !byApp else { return try printApps(engine) }
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
        var table = Table(["type", .number("place"), "source", "bundle identifier", .number("samples")])
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
        try SourceOptions.identifiers(text, among: entries.map(\.source), of: "this type")[0]
    }
}
