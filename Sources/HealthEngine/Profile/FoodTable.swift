import HealthStorage

/// A food of the person's own table.
package struct Food: Hashable, Sendable, Codable {
    package var name: String
    /// What a serving is, such as `1 cup`.
    package var serving: String
    /// The energy of a serving in kilocalories.
    package var energy: Double
    /// The nutrients of a serving in grams.
    package var protein: Double
    package var carbohydrates: Double
    package var fat: Double
    /// The digits of its barcode; `nil` if it has none.
    package var barcode: String?

    package init(
        name: String, serving: String, energy: Double, protein: Double = 0, carbohydrates: Double = 0, fat: Double = 0,
        barcode: String? = nil
    ) {
        (self.name, self.serving, self.energy) = (name, serving, energy)
        (self.protein, self.carbohydrates, self.fat) = (protein, carbohydrates, fat)
        self.barcode = barcode
    }
}

/// The foods from which a person picks what was eaten, kept with the profile. It isn’t health data.
package struct FoodTable: Sendable {
    let engine: HealthEngine

    private static let key = "foods"

    /// The foods, in their order in the file.
    package func read() throws -> [Food] {
        try engine.storage.read { snapshot in
            try Settings.read([Food].self, namespace: Settings.Namespace.profile, key: Self.key, in: snapshot) ?? []
        }
    }

    /// Replaces the table.
    package func replace(with foods: [Food]) throws {
        try engine.commit { transaction, _ in
            try Settings.write(
                foods.isEmpty ? nil : foods, namespace: Settings.Namespace.profile, key: Self.key, in: transaction)
        }
    }
}

extension HealthEngine {
    /// The person's own foods.
    package var foods: FoodTable { FoodTable(engine: self) }
}
