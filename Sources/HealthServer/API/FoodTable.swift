import HealthEngine
import HealthStorage

/// A food of the person's own table.
struct Food: Hashable, Sendable, Codable {
    var name: String
    /// The size of a serving, such as `1 cup`.
    var serving: String
    /// The energy of a serving in kilocalories.
    var energy: Double
    /// The nutrients of a serving in grams.
    var protein = 0.0
    var carbohydrates = 0.0
    var fat = 0.0
    /// The digits of its barcode; `nil` if it has none.
    var barcode: String?
}

/// The foods from which a person picks what was eaten, kept with the profile. It isn’t health data.
struct FoodTable: Sendable {
    let engine: HealthEngine

    private static let key = "foods"

    /// The foods, in their order in the file.
    func read() throws -> [Food] {
        try engine.storage.read { snapshot in
            try Settings.read([Food].self, namespace: Settings.Namespace.profile, key: Self.key, in: snapshot) ?? []
        }
    }

    /// Replaces the table.
    func replace(with foods: [Food]) throws {
        try engine.commit { transaction, _ in
            try Settings.write(
                foods.isEmpty ? nil : foods, namespace: Settings.Namespace.profile, key: Self.key, in: transaction)
        }
    }
}

extension HealthEngine {
    /// The person's own foods.
    var foods: FoodTable { FoodTable(engine: self) }
}
