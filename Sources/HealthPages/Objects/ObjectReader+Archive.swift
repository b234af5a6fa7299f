import HealthModel

extension ObjectReader {
    mutating func element(depth: Int) throws(PageError) -> ArchivedElement {
        // Nesting is bounded, so that damaged bytes cannot exhaust the stack.
        guard depth <= ObjectCoder.greatestDepth else { throw reader.error(.inconsistent, "archived element") }
        let name = try string("archived element")
        let attributes = try list("archived attributes") { object throws(PageError) in
            let name = try object.string("archived attribute")
            return ArchivedElement.Attribute(name: name, value: try object.string("archived attribute"))
        }
        let children = try list("archived children") { object throws(PageError) in
            try object.element(depth: depth + 1)
        }
        return ArchivedElement(name: name, attributes: attributes, children: children)
    }
}
