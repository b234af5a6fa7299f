import HealthEngine
import HealthStorage
import Testing

@testable import HealthServer

struct AnnotationTests {
    @Test("Annotations are in the order of their days, up to a greatest number")
    func order() throws {
        let annotations = try HealthEngine(storage: InMemoryStorage()).annotations
        #expect(try annotations.all().isEmpty)
        for number in 0..<AnnotationStore.maximum {
            let day = Profile.Day(year: 2025, month: 1, day: number % 2 == 0 ? 20 : 10)
            try annotations.add(Annotation(day: day, text: "\(number)", types: ["a"]))
        }
        let numbers = Array(0..<AnnotationStore.maximum)
        let expected = numbers.filter { $0 % 2 == 1 } + numbers.filter { $0 % 2 == 0 }
        let all = try annotations.all()
        #expect(all.map(\.text) == expected.map(String.init) && all.allSatisfy { $0.types == ["a"] })
        let more = Annotation(day: Profile.Day(year: 2025, month: 1, day: 1), text: "more")
        #expect(throws: EngineError.self) { try annotations.add(more) }
        #expect(try annotations.delete(all[0].id) && !annotations.delete(all[0].id))
        try annotations.add(more)
        #expect(try annotations.all().map(\.text) == ["more"] + expected.dropFirst().map(String.init))
    }
}
