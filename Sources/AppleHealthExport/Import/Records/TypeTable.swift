import HealthModel

/// The types an archive has named so far, with the columns of those that live in pages.
///
/// A type outside the catalog gets a code of this import from ``TypeCode/firstUnknown`` upwards. Such a
/// type may turn up in more than one family (with a unit and without); the first one bears the plain
/// identifier, any other one the identifier followed by `#` and the family.
struct TypeTable: ~Copyable {
    private struct Key: Hashable {
        var identifier: String
        var kind: TypeKind
    }

    private var names = ByteInterner()
    private var identifiers: [String] = []
    private var byKey: [Key: Int] = [:]
    private var plainKinds: [String: TypeKind]
    private var types: [ArchiveType] = []
    /// Types by twice their name's number, plus one with a unit: what ``sampleType(_:hasUnit:)`` found.
    private var sampleTypes: [Int: Int?] = [:]
    /// Types outside the catalog, for ``BulkBatch/dictionaries``.
    private(set) var unknown: [TypeDescription] = []

    /// `known` are types outside the catalog that the store has met before.
    init(known: [TypeDescription]) {
        plainKinds = Dictionary(known.map { ($0.identifier, $0.kind) }) { first, _ in first }
    }

    deinit {
        for type in types {
            type.builder?.pointee.deallocate()
            type.builder?.deinitialize(count: 1)
            type.builder?.deallocate()
        }
    }

    /// The number of a raw identifier; ``identifier(_:)`` gives its text.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let (number, isNew) = names.intern(bytes)
        if isNew { identifiers.append(AttributeText.decode(bytes)) }
        return number
    }

    func identifier(_ name: Int) -> String { identifiers[name] }

    subscript(index: Int) -> ArchiveType { types[index] }

    /// Whether a unit fits a type; a type without a unit of its own takes any that can be parsed.
    mutating func fits(unit: UInt32, string: @autoclosure () -> String, type index: Int) -> Bool {
        if let known = types[index].fittingUnits[unit] { return known }
        let parsed = try? UnitExpression(parsing: string())
        let fits = parsed.map { parsed in types[index].unit.map(parsed.isCompatible) ?? true } ?? false
        types[index].fittingUnits[unit] = fits
        return fits
    }

    /// The type of a record with this name, where its samples live in pages; `nil` where they do not.
    /// Outside the catalog a unit makes a quantity, and an identifier that says so a category.
    mutating func sampleType(_ name: Int, hasUnit: Bool) -> Int? {
        let key = name * 2 + (hasUnit ? 1 : 0)
        if let known = sampleTypes[key] { return known }
        let identifier = identifiers[name]
        let index: Int?
        if let description = TypeCatalog.description(for: identifier) {
            index = description.kind.isPaged ? self.index(of: identifier, kind: description.kind) : nil
        } else if hasUnit {
            index = self.index(of: identifier, kind: .quantity)
        } else {
            let isCategory = identifier.hasPrefix("HKCategoryTypeIdentifier")
            index = isCategory ? self.index(of: identifier, kind: .category) : nil
        }
        sampleTypes[key] = .some(index)
        return index
    }

    /// The type with this identifier in this family, entered if it is new. For a type of the catalog
    /// that is of another family, a type beside it.
    mutating func index(of identifier: String, kind: TypeKind) -> Int {
        let key = Key(identifier: identifier, kind: kind)
        if let index = byKey[key] { return index }
        let description: TypeDescription
        if let known = TypeCatalog.description(for: identifier), known.kind == kind {
            description = known
        } else {
            let isPlain =
                TypeCatalog.description(for: identifier) == nil && plainKinds[identifier, default: kind] == kind
            if isPlain { plainKinds[identifier] = kind }
            description = TypeDescription(
                code: TypeCode(rawValue: TypeCode.firstUnknown.rawValue + UInt32(unknown.count)),
                identifier: isPlain ? identifier : "\(identifier)#\(kind)", kind: kind)
            unknown.append(description)
        }
        var builder: UnsafeMutablePointer<ColumnBuilder>?
        if kind.isPaged {
            builder = .allocate(capacity: 1)
            builder?.initialize(to: ColumnBuilder(type: description.code))
        }
        types.append(
            ArchiveType(
                description: description,
                unit: description.canonicalUnit.flatMap { try? UnitExpression(parsing: $0) }, builder: builder))
        byKey[key] = types.count - 1
        return types.count - 1
    }

    /// Takes the columns of all types that have samples. A type that had many and has few by now gives its memory
    /// back: archives go through one type after the other, and room for a batch of each would be room for all.
    mutating func takeColumns() -> [SampleColumns] {
        types.compactMap { type in
            guard let builder = type.builder else { return nil }
            defer { builder.pointee.shrink() }
            return builder.pointee.count > 0 ? builder.pointee.take() : nil
        }
    }
}
