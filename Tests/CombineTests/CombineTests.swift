import Combine
import Foundation
import Testing

/// As a view model for Apple's systems uses it.
@Suite("Combine")
struct CombineTests {
    private final class Model: ObservableObject {
        @Published var steps = 0
        private var cancellables: Set<AnyCancellable> = []

        init(_ counts: AnyPublisher<Int, Never>) {
            counts.removeDuplicates().map { $0 * 2 }.sink { [weak self] in self?.steps = $0 }.store(in: &cancellables)
        }
    }

    @Test("Publishers, subjects and published properties work")
    func publishers() {
        let subject = PassthroughSubject<Int, Never>()
        let model = Model(subject.eraseToAnyPublisher())
        var found: [Int] = []
        var changes = 0
        let values = model.$steps.sink { found.append($0) }
        let will = model.objectWillChange.sink { changes += 1 }
        for count in [1, 1, 4] { subject.send(count) }
        #expect(found == [0, 2, 8] && changes == 2 && model.steps == 8)
        values.cancel()
        will.cancel()
    }

    @Test("Foundation's notifications and Dispatch's queues take part")
    func extensions() async {
        let name = Notification.Name("CombineTests-\(UUID().uuidString)")
        let text = await withCheckedContinuation { continuation in
            var cancellable: AnyCancellable?
            cancellable = NotificationCenter.default.publisher(for: name).receive(on: DispatchQueue.global())
                .first().sink { notification in
                    continuation.resume(returning: notification.object as? String)
                    _ = cancellable
                }
            NotificationCenter.default.post(name: name, object: "posted")
        }
        #expect(text == "posted")
    }
}
