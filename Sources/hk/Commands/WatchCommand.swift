import ArgumentParser
import Foundation
import HealthEngine
import HealthKit
import HealthModel
import HealthWatcher

/// `hk watch`: what is added and deleted, as it happens.
struct WatchCommand: AsyncParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "watch", abstract: "Print what is added and deleted, as it happens.",
        discussion: """
            The place reached is kept beside the store, one for each set of types, so that the next run goes on \
            where this one ended. The first run tells of nothing older than itself, unless --all is given. With --json every change is one \
            JSON value on a line of its own.

              hk watch
              hk watch stepCount sleepAnalysis
            """)

    @Argument(help: "The data types; dietary energy, exercise time, protein, steps and sleep if none is given.")
    var types: [String] = []

    @Flag(name: .long, help: "Begin with the whole history.")
    var all = false

    @Flag(name: .long, help: "End when everything that is there was told.")
    var once = false

    @Option(name: .long, help: "The file that keeps the place reached.", completion: .file())
    var anchor: String?

    @OptionGroup var options: StoreOptions

    private static let usual = [
        "dietaryEnergyConsumed", "appleExerciseTime", "dietaryProtein", "stepCount", "sleepAnalysis",
    ]

    func run() async throws {
        let dictionaries = try options.openEngine().dictionaries()
        let descriptions = try (types.isEmpty ? Self.usual : types).map {
            try TypeName.resolve($0, dictionaries: dictionaries)
        }
        let sampleTypes = try descriptions.map { description -> HKSampleType in
            switch description.kind {
            case .quantity: return HKQuantityType(HKQuantityTypeIdentifier(rawValue: description.identifier))
            case .category: return HKCategoryType(HKCategoryTypeIdentifier(rawValue: description.identifier))
            case .correlation: return HKCorrelationType(HKCorrelationTypeIdentifier(rawValue: description.identifier))
            case .workout: return HKObjectType.workoutType()
            default: throw UsageError("“\(TypeName.short(description.identifier))” cannot be watched.")
            }
        }
        let store = try options.openStore()
        let watcher = HealthWatcher(
            store: store, types: Set(sampleTypes),
            anchors: FileAnchorStore(url: URL(fileURLWithPath: anchor ?? place(of: descriptions))),
            firstRun: all ? .deliver : .skip)
        if Terminal.error.isTerminal, !once {
            let names = descriptions.map { TypeName.short($0.identifier) }.joined(separator: ", ")
            Terminal.complain("Watching \(names). End with Control-C.\n")
        }
        try await watcher.run(follows: !once) { change in
            try tell(change)
        }
    }

    /// The file of one set of types: another question shall not forget this one's place.
    private func place(of types: [TypeDescription]) -> String {
        // FNV-1a, the same on every run and machine.
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in Set(types.map(\.identifier)).sorted().joined(separator: ",").utf8 {
            hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3
        }
        return "\(options.path).watch-\(String(hash, radix: 16))"
    }

    private func tell(_ change: HealthChange) throws {
        let listing = ChangeListing(change: change, dates: DateOutput(calendar: RangeOptions.machineCalendar))
        if options.json {
            try JSONOutput.print(listing.answer)
        } else {
            print(listing.text, terminator: "")
        }
        // Whoever reads through a pipe gets every change at once.
        fflush(nil)
    }
}
