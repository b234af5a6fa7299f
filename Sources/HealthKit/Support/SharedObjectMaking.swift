/// Lets an initializer of a class hand out an object that exists already: the original's types and atomic
/// units are the identical object however they are asked for, and a class's own initializers cannot do that.
package protocol SharedObjectMaking {}

extension SharedObjectMaking {
    /// Becomes `object`; the instance that was being made is thrown away.
    init(sharing object: Self) {
        self = object
    }
}
