public import Foundation
import HealthEngine
import HealthFormats
import HealthModel

/// The types that an application token may read and write. What isn't granted is denied: a denied read is
/// silently empty, a denied write an error.
public struct TokenGrants: Hashable, Sendable {
    /// Some types, or all.
    public enum Types: Hashable, Sendable {
        /// Every type.
        case all
        /// Types by their names, such as `HKQuantityTypeIdentifierStepCount`, `stepCount` or `Steps`.
        case some([String])
    }

    /// The types it may read.
    public var read: Types
    /// The types it may write.
    public var share: Types
    /// The start of the history it may read; `nil` for all history.
    public var since: Date?

    /// Creates grants, by default none.
    public init(read: Types = .some([]), share: Types = .some([]), since: Date? = nil) {
        self.read = read
        self.share = share
        self.since = since
    }

    /// Stores the grants for an application.
    ///
    /// - Parameter replacing: Whether decisions made before are replaced; otherwise only undecided types are denied.
    /// - Throws: ``GrantError`` for a name that isn't a type or a type that applications can't write; storage errors.
    func apply(to engine: HealthEngine, bundleIdentifier: String, replacing: Bool) throws {
        let dictionaries = try engine.dictionaries()
        let known = TypeCatalog.all + dictionaries.types
        let (readable, writable) = (try resolve(read, known, dictionaries), try resolve(share, known, dictionaries))
        let shared = writable.filter { $0.isShareable && $0.kind != .correlation }
        if case .some = share, let refused = writable.first(where: { !$0.isShareable || $0.kind == .correlation }) {
            let name = TypeDescription.shortName(of: refused.identifier)
            throw GrantError(
                refused.kind == .correlation
                    ? "“\(name)” is written with the types of its members. Grant those."
                    : "Applications can’t write “\(name)”.")
        }
        var decisions = replacing ? [:] : try engine.authorization.decisions(bundleIdentifier: bundleIdentifier)
        for type in known {
            var decision = decisions[type.code] ?? TypeAuthorization()
            if decision.read == .notDetermined { decision.read = .denied }
            if decision.share == .notDetermined { decision.share = .denied }
            decisions[type.code] = decision
        }
        for type in Set(readable + readable.flatMap { Self.members(of: $0, among: known) }) {
            decisions[type.code]?.read = .authorized
            decisions[type.code]?.earliest = since?.timeIntervalSinceReferenceDate
        }
        for type in shared { decisions[type.code]?.share = .authorized }
        try engine.authorization.set(decisions, bundleIdentifier: bundleIdentifier)
    }

    /// The types of what a correlation contains, without which it is read as nothing.
    private static func members(of type: TypeDescription, among known: [TypeDescription]) -> [TypeDescription] {
        let prefix: String
        switch type.identifier {
        case "HKCorrelationTypeIdentifierBloodPressure": prefix = "HKQuantityTypeIdentifierBloodPressure"
        case "HKCorrelationTypeIdentifierFood": prefix = "HKQuantityTypeIdentifierDietary"
        default: return []
        }
        return known.filter { $0.identifier.hasPrefix(prefix) }
    }

    private func resolve(
        _ types: Types, _ known: [TypeDescription], _ dictionaries: StoreDictionaries
    ) throws -> [TypeDescription] {
        guard case .some(let names) = types else { return known }
        return try names.map { name in
            guard let found = dictionaries.type(named: name) else {
                let near = TypeSearch(name, in: dictionaries).suggestions
                throw GrantError(
                    "“\(name)” is not a type. "
                        + (near.isEmpty
                            ? "Use a name such as stepCount." : "Did you mean \(near.joined(separator: ", "))?"))
            }
            return found
        }
    }

    /// Removes all decisions about an application.
    static func remove(from engine: HealthEngine, bundleIdentifier: String) throws {
        let decisions = try engine.authorization.decisions(bundleIdentifier: bundleIdentifier)
        try engine.authorization.set(
            decisions.mapValues { _ in TypeAuthorization() }, bundleIdentifier: bundleIdentifier)
    }

    /// The identifiers of the types that an application may read and write, in alphabetical order.
    static func granted(
        to bundleIdentifier: String, in engine: HealthEngine
    ) throws -> (read: [String], share: [String], since: Date?) {
        let dictionaries = try engine.dictionaries()
        let decisions = try engine.authorization.decisions(bundleIdentifier: bundleIdentifier)
        func identifiers(_ isIncluded: (TypeAuthorization) -> Bool) -> [String] {
            decisions.filter { isIncluded($0.value) }.keys.compactMap { code in
                (TypeCatalog.description(for: code) ?? dictionaries.type(code))?.identifier
            }.sorted()
        }
        let since = decisions.values.compactMap(\.limit).min().map { Date(timeIntervalSinceReferenceDate: $0) }
        return (identifiers { $0.read == .authorized }, identifiers { $0.share == .authorized }, since)
    }
}

/// A grant that can't be given.
public struct GrantError: Error, CustomStringConvertible, Sendable {
    /// The reason, as a sentence.
    public let description: String

    package init(_ description: String) {
        self.description = description
    }
}
