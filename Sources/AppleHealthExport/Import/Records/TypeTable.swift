import HealthFiles
import HealthModel

/// The types read so far, with column builders for those stored in pages.
///
/// A type outside the catalog gets a code valid for this import, from ``TypeCode/firstUnknown`` upwards. Such a type
/// may occur as more than one kind, with and without a unit: the first keeps the plain identifier, the others get
/// the identifier followed by `#` and the kind.
struct TypeTable: ~Copyable {
    private struct Key: Hashable {
        var identifier: String
        var kind: TypeKind
    }

    private var names = ByteInterner()
    private var identifiers: [String] = []
    /// The number of identifiers outside the catalog and the store, and the names that are too many.
    private var otherCount = 0
    private var tooMany: Set<Int> = []
    /// The most identifiers that neither the catalog nor the store has. A version of HealthKit brings a dozen.
    static let maximumOthers = 1_000
    private var byKey: [Key: Int] = [:]
    private var plainKinds: [String: TypeKind]
    private var types: [ArchiveType] = []
    /// Results of ``sampleType(_:hasUnit:)``, by twice the number of the name, plus one with a unit.
    private var sampleTypes: [Int: Int?] = [:]
    /// Types outside the catalog, for ``BulkBatch/dictionaries``.
    private(set) var unknown: [TypeDescription] = []

    /// - Parameter known: The types outside the catalog that the store already has.
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

    /// Returns the number of an identifier given as raw bytes; see ``identifier(_:)``.
    mutating func name(_ bytes: UnsafeBufferPointer<UInt8>) -> Int {
        let (number, isNew) = names.intern(bytes)
        if isNew {
            let identifier = AttributeText.decode(bytes)
            identifiers.append(identifier)
            if TypeCatalog.description(for: identifier) == nil, plainKinds[identifier] == nil {
                otherCount += 1
                if otherCount > Self.maximumOthers { tooMany.insert(number) }
            }
        }
        return number
    }

    func identifier(_ name: Int) -> String { identifiers[name] }

    /// Whether a name is one of so many that no program has written them for samples.
    func isTooMany(_ name: Int) -> Bool { tooMany.contains(name) }

    subscript(index: Int) -> ArchiveType { types[index] }

    /// Whether a unit is compatible with a type. A type without a canonical unit accepts any valid unit.
    mutating func fits(unit: UInt32, string: @autoclosure () -> String, type index: Int) -> Bool {
        if let known = types[index].fittingUnits[unit] { return known }
        let parsed = try? UnitExpression(parsing: string())
        let fits = parsed.map { parsed in types[index].unit.map(parsed.isCompatible) ?? true } ?? false
        types[index].fittingUnits[unit] = fits
        return fits
    }

    /// Returns the type of a record with this name if its samples are stored in pages. Outside the catalog, a record
    /// with a unit is a quantity, and one with a category identifier is a category.
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

    /// Returns the type with this identifier and kind, adding it if it is new. If the catalog has the identifier as
    /// another kind, adds a separate type.
    mutating func index(of identifier: String, kind: TypeKind) -> Int {
        let key = Key(identifier: identifier, kind: kind)
        if let index = byKey[key] { return index }
        let description: TypeDescription
        if let known = TypeCatalog.description(for: identifier), known.kind == kind {
            description = known
        } else {
            let isPlain =
                TypeCatalog.description(for: identifier) == nil && plainKinds[identifier, default: kind] == kind
            var name = isPlain ? identifier : "\(identifier)#\(kind)"
            // An archive may have a type of another kind under this name, too.
            while plainKinds[name, default: kind] != kind { name += "#\(kind)" }
            plainKinds[name] = kind
            description = TypeDescription(
                code: TypeCode(rawValue: TypeCode.firstUnknown.rawValue + UInt32(unknown.count)),
                identifier: name, kind: kind)
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

    /// Returns and resets the columns of all types that have samples.
    mutating func takeColumns() -> [SampleColumns] {
        types.compactMap { type in
            guard let builder = type.builder, builder.pointee.count > 0 else { return nil }
            return builder.pointee.take()
        }
    }
}

/// A data type as used in one archive.
struct ArchiveType {
    let description: TypeDescription
    /// The canonical unit, for types of the catalog that have one.
    let unit: UnitExpression?
    /// The column builder of a type stored in pages.
    let builder: UnsafeMutablePointer<ColumnBuilder>?
    /// Whether a unit is compatible, by the unit's number.
    var fittingUnits: [UInt32: Bool] = [:]

    var code: TypeCode { description.code }
    var kind: TypeKind { description.kind }
}
