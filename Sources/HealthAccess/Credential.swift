public import Foundation
import HealthStorage
import HealthStoragePostgreSQL

/// A credential of a server, as one row: a token, the session of a browser, a code that signs one in, or a
/// password. Secrets are stored as hashes only.
public struct Credential: Hashable, Sendable {
    /// The kind of a credential.
    package enum Kind: String, Sendable {
        case token, session, code, password
        /// A browser that has signed in with a password before.
        case browser
        /// Credentials of an assistant’s client: for an hour, and for getting the next ones.
        case access, refresh
    }

    /// The permissions of a token.
    public enum Scope: String, Codable, Hashable, Sendable {
        /// Acts as the person: HealthKit's authorization doesn't apply.
        case owner
        /// Is an application: HealthKit's authorization applies to every type and direction.
        case application
        /// Is a device that syncs: it delivers data of every source to `sync/batches`, and can do nothing else.
        case sync
        /// Is a study: it reads statistics over many people, and nothing about a single one.
        case cohort
        /// Is a link for the family or a doctor: everyone who opens it in a browser sees some types of one person until it
        /// expires.
        case link
    }

    package var kind: Kind
    /// The public identifier.
    public var id = Secret.makeIdentifier()
    /// The name given by the person.
    public var name = ""
    /// The scope of the token. A session has the scope `link` if it sees what a link shows, and otherwise `owner`.
    public var scope = Scope.owner
    /// The application's bundle identifier, by which its authorization is stored; `nil` for an owner token.
    public var bundleIdentifier: String?
    /// The people whose stores may be used, each once and in order; `nil` for everyone.
    public var people: [String]?
    /// Whether a cohort token may choose among its people in each request.
    public var mayChoose = false
    /// The time zone of a cohort token's days, since its first request.
    package var timeZone: String?
    /// Whether the token can only read.
    public var isReadOnly = false
    /// When the token was made.
    public var created: Date
    /// When the token stops working; `nil` for never.
    public var expires: Date?
    /// When the token was used last, to about a minute.
    public var lastUsed: Date?
    /// The SHA-256 hash of the secret, in hexadecimal digits; `nil` for a password.
    package var digest: String?
    /// The token or password with which a browser signed in, or the token of a client: the credential ends with it.
    package var parent: String?
    /// Of a session, what the page sends with changing requests, which isn't secret from the browser that has the cookie;
    /// of a password, its hash; of a refresh token, what it was used for.
    package var secret: String?

    init(_ kind: Kind, people: [String]?, created: Date) {
        self.kind = kind
        self.people = people.map { Set($0).sorted() }
        self.created = created
    }

    package var requestToken: String { secret ?? "" }
}

extension Credential {
    static let columns = """
        id, kind, scope, digest, parent, people, name, bundle_identifier, may_choose, is_read_only, created, expires,
        last_used, secret, time_zone
        """

    /// Reads the ``columns``.
    init(_ row: any DatabaseRow) throws {
        guard let kind = Kind(rawValue: row.text(1)), let scope = Scope(rawValue: row.text(2)) else {
            throw StorageError(.damaged, "A credential has an unknown kind.")
        }
        func date(_ column: Int32) throws -> Date? {
            try row.optionalReal(column).map { Date(timeIntervalSinceReferenceDate: $0) }
        }
        self.init(kind, people: Self.people(row.text(5)), created: try date(10) ?? .distantPast)
        (id, self.scope, digest, parent) = (row.text(0), scope, row.optionalText(3), row.optionalText(4))
        (name, bundleIdentifier) = (row.text(6), row.optionalText(7))
        (mayChoose, isReadOnly) = (try row.integer(8) != 0, try row.integer(9) != 0)
        (expires, lastUsed, secret, timeZone) = (try date(11), try date(12), row.optionalText(13), row.optionalText(14))
    }

    /// The values of the ``columns``.
    var arguments: [DatabaseStatement.Argument] {
        [
            .text(id), .text(kind.rawValue), .text(scope.rawValue), .text(digest), .text(parent),
            .text(Self.text(people)), .text(name), .text(bundleIdentifier), .integer(mayChoose ? 1 : 0),
            .integer(isReadOnly ? 1 : 0), .real(created.timeIntervalSinceReferenceDate),
            .real(expires?.timeIntervalSinceReferenceDate), .real(lastUsed?.timeIntervalSinceReferenceDate),
            .text(secret), .text(timeZone),
        ]
    }

    /// People as they are stored: empty for everyone, and otherwise with a comma before and after each.
    static func text(_ people: [String]?) -> String {
        people.map { $0.reduce(",") { $0 + $1 + "," } } ?? ""
    }

    private static func people(_ text: String) -> [String]? {
        text.isEmpty ? nil : text.split(separator: ",").map(String.init)
    }
}
