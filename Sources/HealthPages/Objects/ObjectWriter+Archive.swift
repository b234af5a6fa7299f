import HealthModel

extension ObjectWriter {
    mutating func element(_ element: ArchivedElement) {
        self.element(element, depth: 1)
    }

    private mutating func element(_ element: ArchivedElement, depth: Int) {
        precondition(
            depth <= ObjectCoder.greatestDepth,
            "archived elements nest at most \(ObjectCoder.greatestDepth) deep")
        string(element.name)
        list(element.attributes) {
            $0.string($1.name)
            $0.string($1.value)
        }
        list(element.children) { $0.element($1, depth: depth + 1) }
    }
}
