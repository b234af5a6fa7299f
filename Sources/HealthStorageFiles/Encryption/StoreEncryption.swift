import Foundation
import HealthStorage
import Synchronization

/// Whether a store is encrypted, and with which key.
public enum StoreEncryption: Sendable {
    /// An encrypted store is opened with the key of ``StoreKeyring``. If there is one, a new store is encrypted with
    /// it, and one that is not encrypted is refused.
    case automatic
    /// The store is encrypted with a key; a new one will be. One that is not encrypted is refused.
    case key(StoreKey)
    /// The store is not encrypted. One that is encrypted is refused.
    case none

    /// The same for a file that may or may not be encrypted: ``none`` if there is a file at `path` that isn't.
    package func fitting(_ path: String) throws -> StoreEncryption {
        guard FileManager.default.fileExists(atPath: path), try EncryptionHeader.read(path) == nil else { return self }
        return .none
    }

    /// The key, if there is one without asking for it.
    package func key() throws -> StoreKey? {
        switch self {
        case .automatic: try StoreKeyring.shared.key()
        case .key(let key): key
        case .none: nil
        }
    }
}

/// The key of this program for stores that are opened without naming one: that in the environment, the path of a key
/// file in `$HEALTHKIT_KEY_FILE` or a passphrase in `$HEALTHKIT_PASSPHRASE`, else one that the program asks for.
///
/// It can be used from any thread.
package final class StoreKeyring: Sendable {
    /// The only keyring.
    package static let shared = StoreKeyring()

    private struct State {
        var key: StoreKey?
        var isRead = false
        var ask: (@Sendable (String) throws -> StoreKey)?
    }

    private let state = Mutex(State())

    private init() {}

    /// Sets what is called with the path of an encrypted store if there is no key. It asks the person, or throws.
    package func ask(_ ask: (@Sendable (String) throws -> StoreKey)?) {
        state.withLock { $0.ask = ask }
    }

    /// The key in the environment, or the last answer; `nil` if there is none. The environment is read once.
    ///
    /// - Throws: as ``StoreKey/init(file:)``.
    package func key() throws -> StoreKey? {
        let (known, isRead) = state.withLock { ($0.key, $0.isRead) }
        if isRead { return known }
        let path = getenv("HEALTHKIT_KEY_FILE").map { String(cString: $0) } ?? ""
        let key: StoreKey? = try path.isEmpty ? StoreKey(passphraseIn: "HEALTHKIT_PASSPHRASE") : StoreKey(file: path)
        state.withLock { state in (state.key, state.isRead) = (key, true) }
        return key
    }

    /// The key of an encrypted store. An answer is kept for other stores.
    ///
    /// - Throws: `StorageError` `.encrypted` if there is none; as ``StoreKey/init(file:)``, and what is thrown instead
    ///   of asking.
    package func key(for path: String) throws -> StoreKey {
        if let key = try key() { return key }
        guard let ask = state.withLock({ $0.ask }) else {
            throw StorageError(
                .encrypted, "\(path) is encrypted. Give its key with HEALTHKIT_KEY_FILE or HEALTHKIT_PASSPHRASE.")
        }
        let answer = try ask(path)
        state.withLock { $0.key = answer }
        return answer
    }
}
