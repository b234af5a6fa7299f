import HealthModel
import Testing

@Suite struct StoreDictionariesTests {
    private func other(_ number: UInt32) -> TypeDescription {
        TypeDescription(
            code: TypeCode(rawValue: TypeCode.firstUnknown.rawValue + number), identifier: "HKOther\(number)",
            kind: .quantity)
    }

    @Test(
        "Types are found by their codes, in the order of a store and in any other",
        arguments: [[0, 1, 2, 3], [3, 1, 0], [7], []] as [[UInt32]])
    func ownTypes(order: [UInt32]) {
        var dictionaries = StoreDictionaries()
        dictionaries.types = order.map { other($0) }
        for number in 0..<UInt32(9) {
            let expected = order.contains(number) ? other(number) : nil
            #expect(dictionaries.ownType(other(number).code)?.identifier == expected?.identifier)
            #expect(dictionaries.type(other(number).code)?.identifier == expected?.identifier)
            #expect(dictionaries.catalogCode(of: other(number).code) == other(number).code)
        }
    }

    @Test("Types of the catalog aren't a store's own")
    func catalogTypes() throws {
        let steps = try #require(TypeCatalog.description(for: "HKQuantityTypeIdentifierStepCount"))
        var dictionaries = StoreDictionaries()
        dictionaries.types = [other(0)]
        #expect(dictionaries.ownType(steps.code) == nil)
        #expect(dictionaries.type(steps.code)?.identifier == steps.identifier)
        #expect(dictionaries.ownType(TypeCode(rawValue: .max)) == nil)
    }
}
