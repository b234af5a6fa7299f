/// An archive's element as it was read.
public struct ArchivedElement: Hashable, Sendable, Codable {
    /// A name with its unescaped text.
    public struct Attribute: Hashable, Sendable, Codable {
        /// The attribute's name.
        public var name: String
        /// Its text, entities resolved.
        public var value: String

        /// Makes an attribute.
        public init(name: String, value: String) {
            self.name = name
            self.value = value
        }
    }

    /// The tag of a route inside a workout. One whose points are not to be had stays among what a workout
    /// carries.
    public static let workoutRoute = "WorkoutRoute"

    /// The element's tag.
    public var name: String
    /// The attributes in the order they stood; an archive may repeat a name.
    public var attributes: [Attribute]
    /// The elements inside, in order.
    public var children: [ArchivedElement]

    /// Makes an element.
    public init(name: String, attributes: [Attribute] = [], children: [ArchivedElement] = []) {
        self.name = name
        self.attributes = attributes
        self.children = children
    }

    /// The text of the first attribute with this name.
    public subscript(name: String) -> String? {
        attributes.first { $0.name == name }?.value
    }
}
