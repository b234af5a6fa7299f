import Foundation

/// What the original shows of the FHIR bundle in a health card: who it is about, what it says and as of when.
struct FHIRBundleSummary: Hashable, Sendable {
    var fullName = ""
    /// Year, month and day, as far as given.
    var birth: DateComponents?
    /// Vaccines and tests, in the bundle's order.
    var itemNames: [String] = []
    /// The last time one of the items happened.
    var relevantDate: Date?

    /// Reads a bundle; what is not there or of another kind is left out.
    init(_ bundle: [String: Any]) {
        for entry in bundle["entry"] as? [[String: Any]] ?? [] {
            guard let resource = entry["resource"] as? [String: Any] else { continue }
            switch resource["resourceType"] as? String {
            case "Patient": read(patient: resource)
            case "Immunization": read(item: resource, code: "vaccineCode", dates: ["occurrenceDateTime"])
            case "Observation": read(item: resource, code: "code", dates: ["effectiveDateTime"])
            case "Condition": read(item: resource, code: "code", dates: ["onsetDateTime", "recordedDate"])
            default: break
            }
        }
    }

    private mutating func read(patient: [String: Any]) {
        if let name = (patient["name"] as? [[String: Any]])?.first {
            let parts = (name["given"] as? [String] ?? []) + [name["family"] as? String].compactMap { $0 }
            fullName = parts.isEmpty ? name["text"] as? String ?? "" : parts.joined(separator: " ")
        }
        let numbers = (patient["birthDate"] as? String ?? "").split(separator: "-").map { Int($0) }
        if (1...3).contains(numbers.count), !numbers.contains(nil) {
            birth = DateComponents(
                calendar: Calendar(identifier: .gregorian), year: numbers[0],
                month: numbers.count > 1 ? numbers[1] : nil, day: numbers.count > 2 ? numbers[2] : nil)
        }
    }

    private mutating func read(item: [String: Any], code: String, dates: [String]) {
        if let concept = item[code] as? [String: Any] {
            let coding = (concept["coding"] as? [[String: Any]])?.first
            let name = concept["text"] as? String ?? coding?["display"] as? String ?? coding?["code"] as? String
            if let name { itemNames.append(name) }
        }
        let found = dates.lazy.compactMap { item[$0] as? String }.compactMap(Self.date).first
        if let found { relevantDate = max(relevantDate ?? found, found) }
    }

    /// An instant in ISO 8601, or the beginning in UTC of a day, month or year.
    static func date(_ text: String) -> Date? {
        if text.contains("T") {
            if let date = try? Date(text, strategy: .iso8601) { return date }
            return try? Date(text, strategy: Date.ISO8601FormatStyle(includingFractionalSeconds: true))
        }
        let numbers = text.split(separator: "-").map { Int($0) }
        guard (1...3).contains(numbers.count), !numbers.contains(nil) else { return nil }
        var calendar = Calendar(identifier: .gregorian)
        calendar.timeZone = .gmt
        return calendar.date(
            from: DateComponents(
                year: numbers[0], month: numbers.count > 1 ? numbers[1] : 1, day: numbers.count > 2 ? numbers[2] : 1))
    }
}
