import AppleHealthGenerator
import ArgumentParser
import Foundation

/// `hk generate PATH`: writes an archive of a fictional person.
struct GenerateCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "generate", abstract: "Generate an Apple Health archive of a fictional person.",
        discussion: """
            Generates data for demos, tests and benchmarks. The same options produce the same bytes. A path ending \
            in .zip creates an export.zip, a path ending in .xml only the main file, and any other path a folder.

            With --ios, the archive has the format of that iOS version, from 8 to 26: with the routes, \
            electrocardiograms, audiograms, prescriptions and clinical records that it exported, and with its \
            defects, from metadata written as attributes (8) to the broken document type (16.0 and 16.1, fixed in \
            16.2). The main file on its own has no content that lives in separate files.

            With --scenario, the person is in a situation for tests: \(names). The dates are fixed.

              hk generate demo.zip
              hk generate million.xml --records 1000000 --until 2025-11-16T12:00
              hk generate old.zip --ios 12 --locale fr_FR
              hk generate torn.xml --ios 16 --records 2000
              hk generate travel.zip --scenario jet-lag
            """)

    private static var names: String { HealthScenario.all.map(\.name).joined(separator: ", ") }

    @Argument(help: "The destination.", completion: .file())
    var path: String

    @Option(
        name: .long, help: "The approximate number of records, about 900 or more (default: 100000).")
    var records: Int?

    @Option(
        name: .long, help: ArgumentHelp("Generate the data of this scenario.", valueName: "name"),
        completion: .list(HealthScenario.all.map(\.name)))
    var scenario: String?

    @Option(name: .long, help: "The seed of the random number generator.")
    var seed: UInt64 = 1

    @Option(name: .long, help: "The date of the export; no record is later (default: now).")
    var until: String?

    @Option(name: .long, help: "The person’s time zone.")
    var timeZone: String?

    @Option(
        name: .long,
        help: ArgumentHelp("Use the format of this iOS version, such as 9, 16.2 or 26.", valueName: "version"))
    var ios: String?

    @Option(name: .long, help: "With --ios, the language and region of the iPhone (default: en_US).")
    var locale: String?

    @Flag(name: .long, inversion: .prefixedNo, help: "With --ios, include the defects of that version.")
    var defects = true

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    private struct Answer: Encodable {
        var path: String
        var records: Int
        /// Samples and objects by type, as an import counts them.
        var types: [String: Int]
        var files: [String]
    }

    func validate() throws {
        if let records, records < 1 { throw ValidationError("--records must be at least 1.") }
        try TimeZoneArgument.validate(timeZone)
        if let ios, ArchiveDialect(ios) == nil {
            throw ValidationError("--ios: “\(ios)” is not a known version. Use a form like 9, 16.2, 18 or 26.")
        }
        if let locale, !GeneratorOptions.isValid(locale: locale) {
            throw ValidationError("--locale: “\(locale)” is not a language and region. Use a form like fr_FR.")
        }
        if let scenario, HealthScenario(named: scenario) == nil {
            throw ValidationError(
                "--scenario: “\(scenario)” is not a scenario. Use one of \(Self.names).")
        }
        if scenario != nil, records != nil || until != nil || timeZone != nil || ios != nil {
            throw ValidationError("With --scenario, only --seed and --json can be given.")
        }
        if ios == nil, locale != nil || !defects {
            throw ValidationError("--locale and --no-defects require --ios.")
        }
    }

    func run() throws {
        try expectNothing()
        let written = try ArchiveGenerator(options: archiveOptions()).make(atPath: path)
        if json {
            try JSONOutput.print(
                Answer(path: path, records: written.records, types: written.contents, files: written.files))
        } else {
            print("Wrote \(NumberOutput.grouped(written.records)) records to \(path).")
        }
    }

    private func archiveOptions() throws -> GeneratorOptions {
        if let scenario = scenario.flatMap({ HealthScenario(named: $0) }) { return scenario.options(seed: seed) }
        let zone = timeZone.flatMap { TimeZone(identifier: $0) } ?? .current
        let text = DateArgument(calendar: DateArgument.calendar(in: zone))
        let until = try self.until.map { try text.span($0, option: "--until").end }
        var generated = GeneratorOptions(
            records: records ?? 100_000, seed: seed, exportDate: until ?? CurrentTime.now, timeZone: zone)
        generated.dialect = ios.flatMap { ArchiveDialect($0) }
        generated.locale = locale ?? generated.locale
        generated.hasDefects = defects
        return generated
    }

    /// Throws if something is at the path: a person's own archive has the same names as one that is generated.
    private func expectNothing() throws {
        let isFile = ["xml", "zip"].contains(URL(fileURLWithPath: path).pathExtension.lowercased())
        let made = isFile ? path : (path.hasSuffix("/") ? path : path + "/") + "apple_health_export"
        guard (try? FileManager.default.attributesOfItem(atPath: made)) != nil else { return }
        throw UsageError("“\(made)” already exists. Nothing was changed; choose another path.")
    }
}
