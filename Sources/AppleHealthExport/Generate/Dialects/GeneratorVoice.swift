/// How one version of iOS on one telephone says what the generator has to say. The plain archive of demo
/// and benchmark has a voice of its own that is always the same.
struct GeneratorVoice {
    /// `nil` for the plain archive.
    let dialect: ArchiveDialect?
    let locale: GeneratorLocale
    let hasDefects: Bool
    private let sources: GeneratorSources?

    init(_ options: GeneratorOptions) {
        dialect = options.dialect
        locale = GeneratorLocale(options.locale) ?? GeneratorLocale("en_US")!
        hasDefects = options.hasDefects
        sources = options.dialect.map { GeneratorSources($0, seed: options.seed, exportDate: options.exportDate) }
    }

    /// Whether the archive has records of this type.
    func has(type: String) -> Bool { dialect?.has(type: type) ?? true }

    /// The source's attributes in a record that starts at `second`.
    func attributes(of source: GeneratorSource, at second: Int) -> [UInt8] {
        sources?.attributes(of: source, at: second) ?? source.attributes
    }

    /// Value and unit as the telephone's region has them.
    func measure(_ value: Int, digits: Int, unit: String) -> (value: Int, digits: Int, unit: String) {
        guard dialect != nil else { return (value, digits, unit) }
        guard locale.hasCustomaryUnits else { return (value, digits, unit) }
        switch unit {
        case "kcal": return (value, digits, "Cal")
        case "km": return (value * 621_371 / 1_000_000, digits, "mi")
        case "km/hr": return (value * 621_371 / 1_000_000, digits, "mi/hr")
        case "kg": return (value * 220_462 / 100_000, digits, "lb")
        case "degC": return (value * 9 / 5 + 3_200, digits, "degF")
        default: return (value, digits, unit)
        }
    }

    /// The energy unit of summaries and workouts.
    var energyUnit: String { dialect != nil && locale.hasCustomaryUnits ? "Cal" : "kcal" }
}
