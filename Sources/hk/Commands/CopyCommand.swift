import ArgumentParser
import Foundation
import HealthEngine
import HealthImport
import HealthStorage
import HealthStorageFiles
import HealthStorageSQLite

/// `hk copy`: moves a person between a file and a database.
struct CopyCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "copy", abstract: "Copy a store between a file and a database.",
        discussion: """
            The copy is the same store: UUIDs, the order of saving, permissions and settings are kept, and anchors \
            that applications have stored work with it. An interrupted copy leaves nothing behind; start it again. A \
            file copied from an encrypted one has the same key; with a key, a new file is encrypted.

              hk copy health.sqlite 'postgresql://host/database?person=anna'
              hk copy 'postgresql://host/database?person=anna' health.sqlite
            """)

    @Argument(help: "The store: a file or an address.", completion: .file())
    var from: String

    @Argument(
        help: "The new store: a file that doesn’t exist, or the address of a person without data.", completion: .file())
    var to: String

    @Flag(name: .long, help: "Print one JSON value.")
    var json = false

    @OptionGroup var key: KeyOptions

    func run() throws {
        let source = try Self.open(from, creating: false)
        let destination = try Self.open(
            to, creating: true, encryption: (source as? SQLiteStorage)?.copyEncryption ?? .automatic)
        let report: StoreTransfer.Report
        do {
            report = try StoreTransfer.copy(from: source, to: destination)
        } catch EngineError.invalidArgument {
            throw UsageError("“\(StorageProviders.withoutPassword(to))” is not empty.")
        }
        try destination.close()
        try source.close()
        if json {
            try JSONOutput.print(report)
        } else {
            print(
                "Copied \(NumberOutput.grouped(report.samples)) samples, \(NumberOutput.grouped(report.objects)) other objects "
                    + "and \(NumberOutput.grouped(report.deletions)) deletions.")
        }
    }

    /// Opens the store at a path or address.
    static func open(_ place: String, creating: Bool, encryption: StoreEncryption? = nil) throws
        -> any HealthStorage
    {
        if StorageProviders.isAddress(place) { return try StorageProviders.shared.open(place, creating: creating) }
        guard creating || FileManager.default.fileExists(atPath: place) else {
            throw UsageError("No store found at “\(place)”.")
        }
        var options = SQLiteOptions()
        (options.creates, options.createsDirectories) = (creating, creating)
        options.encryption = try encryption ?? StoreEncryption.automatic.fitting(place)
        return try SQLiteStorage(path: place, options: options)
    }
}

extension SQLiteStorage {
    /// The encryption of a copy: an encrypted store's own key, or one that was given for the copy.
    fileprivate var copyEncryption: StoreEncryption {
        if case .key = encryption { encryption } else { .automatic }
    }
}
