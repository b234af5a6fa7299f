import HealthModel

/// The schemas of Open mHealth and IEEE 1752.1 that describe measurements.
struct OpenMHealthSchema {
    /// How a schema is named.
    struct Identifier: Hashable {
        var namespace: String
        var name: String
        var version: String

        static func omh(_ name: String, _ version: String) -> Identifier {
            Identifier(namespace: "omh", name: name, version: version)
        }

        static func ieee(_ name: String) -> Identifier { Identifier(namespace: "ieee", name: name, version: "1.0") }
    }

    struct Unit {
        var name: String
        /// The same in HealthKit, whose values are multiplied by the factor.
        var healthKit: String
        var factor = 1.0
    }

    var id: Identifier
    /// The member of the body with the value.
    var member: String
    /// The units, of which the first that fits is used.
    var units: [Unit]
    /// Whether the schema requires an interval.
    var isInterval = false
    /// Further members of the body.
    var texts: [(name: String, text: String)] = []

    /// Reads an entry of the table of types, such as `step-count 3.0; steps=count; interval`: the name and version; units,
    /// each with that of HealthKit; and `interval`, the name of the member, or another member with its text.
    private init?(_ entry: Substring) {
        let parts = entry.split(separator: "; ")
        let name = parts.first?.split(separator: " ") ?? []
        guard name.count == 2 else { return nil }
        id = .omh(String(name[0]), String(name[1]))
        member = String(name[0].replacing("-", with: "_"))
        units = []
        for part in parts.dropFirst() {
            if part == "interval" {
                isInterval = true
            } else if let mark = part.firstRange(of: ": ") {
                let (key, text) = (part[..<mark.lowerBound], String(part[mark.upperBound...]))
                if key == "member" { member = text } else { texts.append((String(key), text)) }
            } else if let mark = part.firstIndex(of: "=") {
                let (unit, own) = (part[..<mark], part[mark...].dropFirst())
                units.append(Unit(name: String(unit), healthKit: String(own), factor: own == "%" ? 100 : 1))
            }
        }
    }

    /// By the identifiers of types.
    static let quantities: [String: OpenMHealthSchema] = TypeCatalog.values(TypeTables.openMHealthSchemas).reduce(
        into: [:]
    ) { $0[$1.identifier] = OpenMHealthSchema($1.value) }
}
