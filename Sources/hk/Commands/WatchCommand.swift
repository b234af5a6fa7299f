import ArgumentParser
import Foundation
import HealthDaemon
import HealthEngine
import HealthKit
import HealthModel
import HealthWatcher

/// `hk watch`: prints changes as they happen.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print added and deleted samples as changes happen.",
        discussion: """
            An anchor for each set of types is kept beside the store, so that the next run continues where this \
            one ended. The first run reports only new changes. With --all, a run starts with the whole history, wherever \
            the last one ended. With --json, every change is one JSON value on its own line.

              hk watch
              hk watch stepCount sleepAnalysis
            """)

    @Argument(
        help: "The data types (default: all quantity, category and correlation types, and workouts).",
        completion: TypeCompletion.name)
    var types: [String] = []

    @Flag(name: .long, help: "Start with the whole history.")
    var all = false

    @Flag(name: .long, help: "Exit after reporting all existing changes.")
    var once = false

    @Option(name: .long, help: "The file that stores the anchor.", completion: .file())
    var anchor: String?

    @OptionGroup var options: StoreOptions

    func run() async throws {
        let dictionaries = try options.engine().dictionaries()
        let descriptions =
            types.isEmpty
            ? TypeCatalog.all.filter { Self.sampleType($0) != nil }
            : try types.map { try TypeName.resolve($0, dictionaries: dictionaries) }
        let sampleTypes = try descriptions.map { description -> HKSampleType in
            if let type = Self.sampleType(description) { return type }
            throw UsageError("“\(TypeName.short(description.identifier))” can’t be watched.")
        }
        let store = try options.openStore()
        let file = FileAnchorStore(url: URL(fileURLWithPath: try anchor ?? anchorPath(for: descriptions)))
        try requireWritable(file.url)
        // Two would take each other's changes.
        let lock = try DaemonLock(
            path: file.url.path + ".lock",
            holder: "Another “hk watch” follows these types. Give this one a separate anchor with --anchor FILE")
        let watcher = HealthWatcher(
            store: store, types: Set(sampleTypes), anchors: all ? ResettingAnchorStore(file: file) : file,
            firstRun: all ? .deliver : .skip)
        if Terminal.error.isTerminal, !once {
            let names =
                types.isEmpty
                ? "all types" : descriptions.map { TypeName.short($0.identifier) }.joined(separator: ", ")
            Terminal.printError("Watching \(names). Press Control-C to stop.\n")
        }
        let dates = DateOutput(calendar: try RangeOptions.calendar(nil, options))
        try await watcher.run(follows: !once, retry: .never) { change in
            try report(ChangeListing(change: change, dates: dates))
        }
        _ = consume lock
    }

    /// The type as HealthKit has it; `nil` if it can’t be watched.
    private static func sampleType(_ description: TypeDescription) -> HKSampleType? {
        switch description.kind {
        case .quantity: HKQuantityType(HKQuantityTypeIdentifier(rawValue: description.identifier))
        case .category: HKCategoryType(HKCategoryTypeIdentifier(rawValue: description.identifier))
        case .correlation: HKCorrelationType(HKCorrelationTypeIdentifier(rawValue: description.identifier))
        case .workout: HKObjectType.workoutType()
        default: nil
        }
    }

    /// Throws if the anchor can't be written, before anything is printed that would be printed again by the next run.
    private func requireWritable(_ url: URL) throws {
        let folder = url.deletingLastPathComponent().path
        // The file is replaced as a whole, so its folder must be writable.
        guard access(folder, W_OK) != 0 else { return }
        throw UsageError(
            "The anchor “\(url.path)” can’t be written, so the next run wouldn’t know where this one ended. Keep it "
                + "elsewhere with --anchor FILE.")
    }

    /// The anchor file of a set of types. Every set has its own, so that runs don't overwrite each other's anchors.
    private func anchorPath(for types: [TypeDescription]) throws -> String {
        let names = Set(types.map(\.identifier)).sorted().joined(separator: ",")
        return try options.auxiliaryFilePath("watch-\(StoreOptions.hash(names))")
    }

    private func report(_ listing: ChangeListing) throws {
        if options.json {
            try JSONOutput.print(listing.answer)
        } else {
            print(listing.text, terminator: "")
        }
        // The change counts as handled when this returns, and the anchor then moves.
        try StandardOutput.flush(isDurable: true)
    }
}

/// The anchors of a run that starts with the whole history: those of earlier runs aren't used, and are replaced.
private struct ResettingAnchorStore: AnchorStore {
    let file: FileAnchorStore

    func load() throws -> [String: HKQueryAnchor] { [:] }

    func save(_ anchors: [String: HKQueryAnchor]) throws {
        try file.save(anchors)
    }
}

/// One change as lines of text or as JSON.
struct ChangeListing {
    let change: HealthChange
    let dates: DateOutput

    struct Answer: Encodable {
        struct Sample: Encodable {
            var uuid: String
            var type: String
            var startDate: String
            var endDate: String
            var quantity: Double?
            var unit: String?
            var value: Int?
            var source: String
        }

        var addedSamples: [Sample]
        var deletedObjects: [String]
    }

    var answer: Answer {
        Answer(
            addedSamples: change.addedSamples.map { sample in
                let quantity = Self.parts((sample as? HKQuantitySample)?.quantity)
                return Answer.Sample(
                    uuid: sample.uuid.uuidString, type: sample.sampleType.identifier,
                    startDate: dates.iso(sample.startDate),
                    endDate: dates.iso(sample.endDate), quantity: quantity?.value, unit: quantity?.unit,
                    value: (sample as? HKCategorySample)?.value, source: sample.sourceRevision.source.name)
            }, deletedObjects: change.deletedObjects.map(\.uuid.uuidString))
    }

    var text: String {
        let added = change.addedSamples.map { sample in
            let line =
                "+ \(dates.minute(sample.startDate))  \(TypeName.short(sample.sampleType.identifier))  "
                + "\(value(sample))  \(sample.sourceRevision.source.name)"
            let terminal = Terminal.output
            return (terminal.isTerminal ? Table.shortened(line, to: terminal.columns) : line) + "\n"
        }
        return added.joined() + change.deletedObjects.map { "- deleted \($0.uuid.uuidString)\n" }.joined()
    }

    /// The value and the original unit, which follows the first space in the quantity's description.
    private static func parts(_ quantity: HKQuantity?) -> (value: Double, unit: String)? {
        guard let quantity, let blank = quantity.description.firstIndex(of: " ") else { return nil }
        let unit = String(quantity.description[blank...].dropFirst())
        return (quantity.doubleValue(for: HKUnit(from: unit)), unit)
    }

    private func value(_ sample: HKSample) -> String {
        switch sample {
        case let sample as HKQuantitySample:
            return Self.parts(sample.quantity).map { NumberOutput.quantity($0.value, $0.unit) } ?? ""
        case let sample as HKCategorySample:
            let type = TypeCatalog.description(for: sample.categoryType.identifier)
            return type.map { NameOutput.text(sample.value, of: $0) } ?? "\(sample.value)"
        case let workout as HKWorkout:
            return "\(NameOutput.words("\(workout.workoutActivityType)")), "
                + "\(NumberOutput.text(workout.duration / 60, digits: 1)) min"
        case let correlation as HKCorrelation:
            return "\(correlation.objects.count) samples"
        default:
            return ""
        }
    }
}
