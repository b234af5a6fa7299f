import HealthModel

/// What may be asked for at all, in the original's words.
enum AuthorizationRule {
    /// A request that ends the process.
    struct Violation: Error, CustomStringConvertible {
        let description: String
    }

    /// - Throws: ``Violation`` for an empty request, and for types that cannot be asked for.
    static func validate(share: Set<HKSampleType>, read: Set<HKObjectType>) throws {
        guard !share.isEmpty || !read.isEmpty else {
            throw Violation(description: "Must request authorization for at least one data type")
        }
        try refuse(share.filter { !isShareable($0) }, to: "share")
        try refuse(read.filter { $0 is HKCorrelationType }, to: "read")
    }

    private static func refuse(_ types: some Collection<some HKObjectType>, to verb: String) throws {
        guard !types.isEmpty else { return }
        let names = types.map(\.identifier).sorted().joined(separator: ", ")
        throw Violation(
            description: "Authorization to \(verb) the following types is disallowed: \(names)")
    }

    private static func isShareable(_ type: HKSampleType) -> Bool {
        TypeCatalog.description(for: type.identifier)?.isShareable ?? false
    }
}
