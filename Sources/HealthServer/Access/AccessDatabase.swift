import Foundation
import HealthStorage
import HealthStoragePostgreSQL
import Synchronization

/// Where tokens, sessions and sign-in codes are kept: a file, or a database that several servers share.
protocol AccessStore: Sendable {
    /// The contents now, and a number that grows when they change.
    ///
    /// - Throws: ``AccessFileError``, or `StorageError`.
    func read() throws -> (document: AccessDocument, generation: Int)

    /// Changes the contents, and returns when they are durable.
    ///
    /// - Throws: the errors of `change`, in which case nothing is changed; ``AccessFileError``, or `StorageError`.
    @discardableResult
    func update<Value: Sendable>(_ change: (inout AccessDocument) throws -> Value) throws -> Value
}

extension AccessFile: AccessStore {}

/// Tokens and sessions in a database. Each server has a copy, and is notified when another one changes them.
final class AccessDatabase: AccessStore {
    private struct State {
        var document = AccessDocument()
        /// Counts the changes that this process has read.
        var generation = 0
        /// Counts the received notifications, and how many of them the document contains; none before it is first read.
        var heard = 0
        var included = -1
        var subscription: StorageSubscription?
    }

    private let database: ServerDatabase
    private let state = Mutex(State())
    private static let name = "access"

    init(_ database: ServerDatabase) {
        self.database = database
    }

    func read() throws -> (document: AccessDocument, generation: Int) {
        if let known = state.withLock({ $0.included == $0.heard ? ($0.document, $0.generation) : nil }) { return known }
        try observe()
        // A notification that arrives while the document is read makes it outdated again.
        let heard = state.withLock { $0.heard }
        let document = try Self.decode(database.database().document(Self.name))
        return state.withLock { state in
            if heard > state.included {
                state.document = document
                state.generation += 1
                state.included = heard
            }
            return (state.document, state.generation)
        }
    }

    func update<Value: Sendable>(_ change: (inout AccessDocument) throws -> Value) throws -> Value {
        let value = try database.database().updateDocument(Self.name) { bytes in
            var document = try Self.decode(bytes)
            let value = try change(&document)
            return (try Self.encode(document), value)
        }
        state.withLock { $0.heard += 1 }
        return value
    }

    private func observe() throws {
        guard state.withLock({ $0.subscription == nil }) else { return }
        let new = try database.database().observeDocuments { [weak self] in
            self?.state.withLock { $0.heard += 1 }
        }
        let superfluous = state.withLock { state -> StorageSubscription? in
            guard state.subscription == nil else { return new }
            state.subscription = new
            return nil
        }
        superfluous?.cancel()
    }

    private static func decode(_ bytes: [UInt8]?) throws -> AccessDocument {
        guard let bytes else { return AccessDocument() }
        let decoder = JSONDecoder()
        decoder.dateDecodingStrategy = .iso8601
        guard let document = try? decoder.decode(AccessDocument.self, from: Data(bytes)) else {
            throw AccessFileError("The database’s document of tokens can’t be read.")
        }
        guard document.version == AccessDocument.currentVersion else {
            throw AccessFileError("The database’s document of tokens was written by a newer version.")
        }
        return document
    }

    private static func encode(_ document: AccessDocument) throws -> [UInt8] {
        let encoder = JSONEncoder()
        encoder.dateEncodingStrategy = .iso8601
        return Array(try encoder.encode(document))
    }
}
