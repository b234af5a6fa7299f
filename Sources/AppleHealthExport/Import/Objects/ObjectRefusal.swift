/// Why an element cannot become an object; the end of a sentence about it, without any value.
struct ObjectRefusal: Error {
    var reason: String

    init(_ reason: String) {
        self.reason = reason
    }
}
