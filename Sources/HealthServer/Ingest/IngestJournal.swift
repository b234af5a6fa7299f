import Crypto
import Foundation
import HealthIngest
import HealthJSON
import HealthModel
import HealthStorageFiles
import HealthStorageSQLite
import Synchronization

/// The last reports of a person's ingest, and the entries that were not understood, in the person's work folder.
///
/// Entries are kept as they were posted, one JSON object a line, each once, up to a size. A later version, or the
/// person, may understand them. Beside an encrypted store, each line of both files is sealed.
final class IngestJournal: Sendable {
    private struct State {
        /// Hashes of the lines that are kept, read when the first line is added.
        var kept: Set<UInt64>?
        var size = 0
    }

    private let folder: String
    private let cipher: JournalCipher?
    private let state = Mutex(State())

    static let maximumReports = 20
    static let maximumKeptBytes = 16 << 20

    /// - Parameters:
    ///   - folder: The work folder, which exists if anything is added.
    ///   - cipher: Seals what is written, if the store is encrypted.
    init(folder: String, cipher: JournalCipher?) {
        (self.folder, self.cipher) = (folder, cipher)
    }

    private var reportsPath: String { folder + "/ingest-reports.json" }
    /// The file of entries that were not understood.
    var keptPath: String { folder + "/ingest-kept.ndjson" }

    /// The last reports, the newest first.
    func reports() -> [IngestReport] {
        guard let contents = FileManager.default.contents(atPath: reportsPath),
            let line = contents.split(separator: 0x0A).first, let data = unseal(line)
        else { return [] }
        return (try? JSONDecoder().decode([IngestReport].self, from: data)) ?? []
    }

    /// Adds a report. A report that can't be written doesn't fail the request, whose data is saved.
    func add(_ report: IngestReport) {
        state.withLock { _ in
            let reports = ([report] + reports()).prefix(Self.maximumReports)
            let encoder = JSONEncoder()
            encoder.outputFormatting = [.sortedKeys, .withoutEscapingSlashes]
            guard let data = try? encoder.encode(Array(reports)), let stored = seal(data) else { return }
            try? AtomicFile.write(stored, to: reportsPath, isDurable: false)
        }
    }

    // MARK: Encryption

    /// A line as it is stored, without its end.
    private func seal(_ line: Data) -> Data? {
        if let cipher { cipher.seal(line) } else { line }
    }

    /// A stored line as it was written. Returns `nil` for one of a store that was encrypted with another key.
    private func unseal(_ line: Data) -> Data? {
        // What isn't sealed is JSON, which begins differently from base64.
        Self.isSealed(line) ? cipher?.open(line) : line
    }

    private static func isSealed(_ line: Data) -> Bool {
        line.first != UInt8(ascii: "{") && line.first != UInt8(ascii: "[")
    }

    /// Seals what was written before the store was encrypted, and removes what was sealed with a key that no longer
    /// exists.
    func adaptToEncryption() {
        state.withLock { state in
            for path in [keptPath, reportsPath] {
                unlink(path + ".new")
                // Files are replaced as a whole, so that the first line tells how all are stored: the others aren't
                // read.
                guard let contents = try? Data(contentsOf: URL(fileURLWithPath: path), options: .mappedIfSafe),
                    let first = contents.split(separator: 0x0A, maxSplits: 1).first,
                    Self.isSealed(first) != (cipher != nil) || unseal(first) == nil
                else { continue }
                // The reports are one line.
                let lines = contents.split(separator: 0x0A)
                let fitting = lines.compactMap { line -> Data? in
                    guard let plain = unseal(line) else { return nil }
                    return plain == line ? seal(plain) : line
                }
                guard fitting != lines else { continue }
                try? AtomicFile.write(Data(fitting.flatMap { $0 + Data([0x0A]) }), to: path, isDurable: false)
            }
            state = State()
        }
    }

    // MARK: Entries

    /// Keeps an entry that was not understood. Beyond the maximum size, entries are only reported.
    func keep(_ entry: JSONValue, path: String, name: String?, unit: String?) {
        var json = JSONText()
        json.object { json in
            json.member("path", text: path)
            json.member("name", text: name)
            json.member("units", text: unit)
            json.key("entry")
            entry.write(to: &json)
        }
        let plain = Data(json.bytes)
        state.withLock { state in
            if state.kept == nil {
                let contents = FileManager.default.contents(atPath: keptPath) ?? Data()
                state.size = contents.count
                state.kept = Set(contents.split(separator: 0x0A).compactMap { unseal($0).map { FNV1a.hash($0) } })
            }
            guard var line = seal(plain) else { return }
            line.append(0x0A)
            guard state.size + line.count <= Self.maximumKeptBytes,
                state.kept?.insert(FNV1a.hash(plain)).inserted == true
            else { return }
            let descriptor = open(keptPath, O_WRONLY | O_CREAT | O_APPEND | O_CLOEXEC, 0o600)
            guard descriptor >= 0 else { return }
            let handle = FileHandle(fileDescriptor: descriptor, closeOnDealloc: true)
            if (try? handle.write(contentsOf: line)) != nil { state.size += line.count }
        }
    }

    /// The number of entries that are kept.
    var keptCount: Int {
        (FileManager.default.contents(atPath: keptPath) ?? Data()).count { $0 == 0x0A }
    }
}

/// Seals the lines of a journal, each by itself so that lines can be appended: AES-256-GCM in base64.
struct JournalCipher: Sendable {
    /// The purpose of the key; see `SQLiteStorage.deriveKey(for:)`.
    static let purpose = "server journal"

    private let key: SymmetricKey

    /// - Parameter secret: 32 bytes.
    init(_ secret: SecretBytes) {
        key = secret.withUnsafeBytes { SymmetricKey(data: $0) }
    }

    func seal(_ line: Data) -> Data? {
        (try? AES.GCM.seal(line, using: key))?.combined?.base64EncodedData()
    }

    /// Returns `nil` if the line was sealed with another key, or isn't what was written.
    func open(_ line: Data) -> Data? {
        guard let sealed = Data(base64Encoded: line), let box = try? AES.GCM.SealedBox(combined: sealed) else {
            return nil
        }
        return try? AES.GCM.open(box, using: key)
    }
}
