import Foundation
import HealthModel
import HealthStorage
import HealthStorageSQLite

/// Where a server's stores are.
public enum StoreLocation: Hashable, Sendable {
    /// One store file, of the person `me`.
    case store(String)
    /// A folder with one folder for each person.
    case folder(String)
    /// A PostgreSQL database with the stores of many people, by its address, which names no person.
    case database(String)

    /// The identifier of the person of a single store.
    public static let onlyPerson = "me"

    /// The folder of what belongs to the server: tokens, sessions and the audit log.
    public var serverFolder: String {
        switch self {
        case .store(let path): SQLiteStorage.pathOfFile(at: path) + ".server"
        case .folder(let path): path + "/.server"
        case .database(let address): Self.stateFolder(of: address)
        }
    }

    /// The folder on this machine of a server over a database, for the audit log and unfinished uploads: in systemd's
    /// `$STATE_DIRECTORY`, else in `$XDG_STATE_HOME/openhealthkit`, else the same below `~/.local/state`.
    private static func stateFolder(of address: String) -> String {
        let environment = ProcessInfo.processInfo.environment
        let name = "server-\(String(FNV1a.hash(StorageProviders.withoutPassword(address).utf8), radix: 16))"
        if let folder = environment["STATE_DIRECTORY"], folder.hasPrefix("/") { return folder + "/" + name }
        let state =
            environment["XDG_STATE_HOME"].flatMap { $0.hasPrefix("/") ? $0 : nil }
            ?? (environment["HOME"] ?? NSHomeDirectory()) + "/.local/state"
        return state + "/openhealthkit/" + name
    }

    /// The file of tokens and sessions; unused with a database.
    public var accessFile: String { serverFolder + "/access.sqlite" }

    /// The file of the audit log.
    public var auditLog: String { serverFolder + "/audit.log" }

    /// The store file of a person; `nil` in a database.
    func storePath(of person: String) -> String? {
        switch self {
        case .database: nil
        case .store(let path): path
        case .folder(let path): path + "/" + person + "/health.sqlite"
        }
    }

    /// The people who may have a work folder on this machine. A database isn't asked.
    var localPeople: [String] {
        let folder: String
        switch self {
        case .store: return [Self.onlyPerson]
        case .folder(let path): folder = path
        case .database: folder = serverFolder + "/people"
        }
        return ((try? FileManager.default.contentsOfDirectory(atPath: folder)) ?? []).filter(PersonIdentifier.isValid)
            .sorted()
    }

    /// The folder of a person's unfinished uploads and of state that goes with the store, such as reports of ingest.
    func workFolder(of person: String) -> String {
        switch self {
        case .store, .database: serverFolder + "/people/" + person
        case .folder(let path): path + "/" + person + "/server"
        }
    }
}

/// The identifier of a person in paths and file names.
enum PersonIdentifier {
    /// Returns whether a text is an identifier: 1 to 64 ASCII letters, digits, `.`, `_`, `-` and `@`, beginning with a
    /// letter or a digit.
    static func isValid(_ text: String) -> Bool {
        func isAlphanumeric(_ character: Character) -> Bool {
            character.isASCII && (character.isLetter || character.isNumber)
        }
        return text.utf8.count <= 64 && text.first.map(isAlphanumeric) == true
            && text.allSatisfy { isAlphanumeric($0) || "._-@".contains($0) }
    }
}

/// A person of a server.
public struct PersonSummary: Hashable, Sendable, Codable {
    /// The identifier in paths, such as `anna`.
    public var person: String
    /// The name shown to people.
    public var name: String

    /// Creates a summary.
    public init(person: String, name: String) {
        self.person = person
        self.name = name
    }
}
