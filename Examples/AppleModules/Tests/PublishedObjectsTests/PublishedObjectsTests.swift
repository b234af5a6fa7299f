import PublishedObjects
import Testing

@MainActor
private final class Model: ObservableObject {
    @Published var steps = 0
    @Published private(set) var name: String
    @Published var goal: Int?

    init(name: String) {
        _name = Published(initialValue: name)
    }

    func add(_ steps: Int) {
        self.steps += steps
    }
}

@Suite("Observable objects without Combine")
struct PublishedObjectsTests {
    @Test("Published properties have their values")
    @MainActor func values() {
        let model = Model(name: "day")
        model.add(1200)
        model.steps += 300
        model.goal = 8000
        #expect(model.steps == 1500 && model.name == "day" && model.goal == 8000)
    }

    @Test("An object is passed by its protocol")
    @MainActor func existential() {
        let object: any ObservableObject = Model(name: "day")
        #expect((object as? Model)?.name == "day")
    }
}
