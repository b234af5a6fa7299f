import HealthModel

// What the classes of single-object families read out of their documents. A field of another kind than
// expected counts as missing.
extension DocumentBody {
    /// A whole number.
    func integer(_ name: String) -> Int? { fields[name]?.wholeNumber }

    /// A quantity, as an object.
    func quantity(_ name: String) -> HKQuantity? { fields[name]?.quantityObject }

    /// Whole numbers in order; none for a missing field, `nil` where one of the elements is none.
    func integers(_ name: String) -> [Int]? {
        guard let field = fields[name] else { return [] }
        guard case .list(let elements) = field else { return nil }
        let numbers = elements.compactMap(\.wholeNumber)
        return numbers.count == elements.count ? numbers : nil
    }
}

extension FieldValue {
    /// The value of a whole number.
    var wholeNumber: Int? {
        if case .integer(let number) = self { Int(exactly: number) } else { nil }
    }

    /// A quantity whose unit parses.
    var quantityObject: HKQuantity? {
        if case .quantity(let record) = self { HKQuantity(record) } else { nil }
    }

    /// Whole numbers as a list.
    static func integers(_ numbers: [Int]) -> FieldValue {
        .list(numbers.map { .integer(Int64($0)) })
    }

    /// A quantity as it is kept; `nil` stays `nil`.
    static func quantity(_ quantity: HKQuantity?) -> FieldValue? {
        quantity.map { .quantity($0.record) }
    }
}
