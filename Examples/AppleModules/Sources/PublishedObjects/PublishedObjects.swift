// The declarations with which models of Combine compile on Linux. Nothing is published: there are no views that could observe.

/// A model that views observe on Apple's systems. Here it is a class.
public protocol ObservableObject: AnyObject {}

/// A property whose changes a model publishes on Apple's systems. Here it has a value and no publisher.
@propertyWrapper
public struct Published<Value> {
    public var wrappedValue: Value

    public init(wrappedValue: Value) {
        self.wrappedValue = wrappedValue
    }

    public init(initialValue: Value) {
        wrappedValue = initialValue
    }
}

extension Published: Sendable where Value: Sendable {}
