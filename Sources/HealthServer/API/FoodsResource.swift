import Foundation
import HTTPTypes
import HealthAnswers
import HealthEngine
import Hummingbird

/// The table of foods from which the person picks in the journal: `foods`.
struct FoodsResource: PersonResource {
    private static let maximumBytes = 4 << 20
    private static let maximumListed = 100

    private struct Listing: Encodable {
        /// The number of foods in the table.
        var count: Int
        var foods: [Food]
    }

    func addRoutes(to group: RouterGroup<PersonRequestContext>) {
        group.get("foods", use: list)
        group.put("foods", use: replace)
        group.delete("foods", use: remove)
    }

    /// Foods by their name or barcode.
    @Sendable private func list(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireOwner("see foods")
        var (parameters, _) = try context.parameters(of: request)
        let (search, barcode) = (try parameters.text("search") ?? "", try parameters.text("barcode"))
        try parameters.finish()
        let words = search.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil).split(
            separator: " ")
        return try .json(
            try await context.read { engine, _ in
                let all = try engine.foods.read()
                let found = all.lazy.filter { food in
                    if let barcode, food.barcode != barcode { return false }
                    guard !words.isEmpty else { return true }
                    let name = food.name.folding(options: [.caseInsensitive, .diacriticInsensitive], locale: nil)
                    return words.allSatisfy { name.contains($0) }
                }
                return Listing(count: all.count, foods: Array(found.prefix(Self.maximumListed)))
            })
    }

    /// Replaces the table by a CSV file.
    @Sendable private func replace(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("import foods")
        _ = try context.calendarOnly(of: request)
        guard request.headers[.contentType]?.lowercased().hasPrefix("text/csv") == true else {
            throw Problem(.unsupportedMediaType, "Send the table as text/csv.")
        }
        let body = try await request.wholeBody(upTo: Self.maximumBytes)
        let foods = try FoodTableReader.read(Array(body.readableBytesView))
        try await context.read { engine, _ in try engine.foods.replace(with: foods) }
        return try .json(Listing(count: foods.count, foods: []))
    }

    @Sendable private func remove(_ request: Request, _ context: PersonRequestContext) async throws -> Response {
        try context.access.requireWritingOwner("remove foods")
        _ = try context.calendarOnly(of: request)
        try await context.read { engine, _ in try engine.foods.replace(with: []) }
        return Response(status: .noContent)
    }
}
