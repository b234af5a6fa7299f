public import HealthModel

/// What of a store is wanted by somebody who goes through all of it: which types, and from when to when.
public struct ContentsSelection: Hashable, Sendable {
    /// The types wanted; `nil` for all.
    public var types: Set<TypeCode>?
    /// Samples and objects that start here or later, in seconds since 2001; `nil` for no bound.
    public var since: Double?
    /// Those that start before this, in seconds since 2001; `nil` for no bound.
    public var until: Double?

    /// Makes a selection; everything unless told otherwise.
    public init(types: Set<TypeCode>? = nil, since: Double? = nil, until: Double? = nil) {
        self.types = types
        self.since = since
        self.until = until
    }

    /// Whether nothing is left out.
    public var isEverything: Bool { types == nil && since == nil && until == nil }

    /// Whether samples of a type are wanted at all.
    public func includes(_ type: TypeCode) -> Bool {
        types?.contains(type) ?? true
    }

    /// Whether something that starts at this instant is wanted.
    public func includes(start: Double) -> Bool {
        since.map { start >= $0 } ?? true && until.map { start < $0 } ?? true
    }
}
