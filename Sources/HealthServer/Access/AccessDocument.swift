public import Foundation

/// What a server knows about access: tokens, sessions, sign-in codes and passwords. Secrets are stored as hashes only.
struct AccessDocument: Codable, Equatable, Sendable {
    /// The version of the form of the file.
    static let currentVersion = 1

    var version = AccessDocument.currentVersion
    var tokens: [TokenRecord] = []
    var sessions: [SessionRecord] = []
    var codes: [SignInCode] = []
    /// The passwords; `nil` for none.
    var passwords: [PasswordRecord]?
}

/// A token: an application, or someone who acts as a person.
public struct TokenRecord: Codable, Hashable, Sendable {
    /// What a token permits.
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

    /// The public identifier.
    public var id: String
    /// The name given by the person.
    public var name: String
    /// What the token permits.
    public var scope: Scope
    /// The application's bundle identifier, by which its authorization is stored; `nil` for an owner token.
    public var bundleIdentifier: String?
    /// The people whose stores may be used; `nil` for everyone.
    public var people: [String]?
    /// Whether a cohort token may choose among its people in each request. Without a value, it can't.
    public var mayChoose: Bool?
    /// Whether the token can only read.
    public var isReadOnly: Bool
    /// When the token was made.
    public var created: Date
    /// When the token stops working; `nil` for never.
    public var expires: Date?
    /// When the token was used last, to about a minute.
    public var lastUsed: Date?
    /// The SHA-256 hash of the token, in hexadecimal digits.
    var digest: String
}

/// A signed-in browser.
struct SessionRecord: Codable, Hashable, Sendable {
    var id: String
    /// The people whose stores may be used; `nil` for everyone.
    var people: [String]?
    var created: Date
    var expires: Date
    /// The hash of the cookie's value.
    var digest: String
    /// What the page sends with changing requests. Not secret from the browser that has the cookie.
    var requestToken: String
    /// The token or password with which the browser signed in: the session ends with it.
    var tokenID: String?
    /// The application that a link represents; `nil` for a session that acts as the person.
    var application: TokenApplication?
}

/// A code that signs one browser in, once.
struct SignInCode: Codable, Hashable, Sendable {
    /// The people whose stores the session may use; `nil` for everyone.
    var people: [String]?
    var expires: Date
    /// The hash of the code.
    var digest: String
}
