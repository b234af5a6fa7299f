import Foundation

/// The objects of a keyed archive, binary or XML, as its property list contains them.
struct KeyedArchive {
    /// What a reference refers to, by index.
    let objects: [PropertyListNode]
    /// The reference to the root object.
    let root: PropertyListNode

    init(_ data: Data) throws(KeyedArchiveError) {
        let list = try BinaryPropertyListReader.read(Self.binary(data))
        guard let fields = list.dictionary, fields["$archiver"]?.text == "NSKeyedArchiver",
            fields["$version"]?.wholeNumber == 100_000, let objects = fields["$objects"]?.list,
            let root = fields["$top"]?.dictionary?[NSKeyedArchiveRootObjectKey]
        else { throw KeyedArchiveError("The property list is not an archive of NSKeyedArchiver.") }
        self.objects = objects
        self.root = root
    }

    /// The object that a reference refers to; `nil` for what is not a reference, or to no object.
    func object(_ reference: PropertyListNode?) -> PropertyListNode? {
        guard case .reference(let index)? = reference, objects.indices.contains(index) else { return nil }
        return objects[index]
    }

    /// The names of an object's class and its ancestors, the class first; empty for an object without a class, such
    /// as text.
    func classNames(_ object: PropertyListNode?) -> [String] {
        guard let description = self.object(object?.dictionary?["$class"])?.dictionary,
            let name = description["$classname"]?.text
        else { return [] }
        let ancestors = (description["$classes"]?.list ?? []).compactMap(\.text)
        return [name] + ancestors.filter { $0 != name }
    }

    // MARK: - XML

    private static let maximumDepth = 64

    /// The same list in binary form, in which references are values of their own.
    private static func binary(_ data: Data) throws(KeyedArchiveError) -> Data {
        if data.starts(with: Data("bplist".utf8)) { return data }
        // Foundation's reader of XML calls itself for each level, and has no limit.
        guard depth(ofXML: data) <= maximumDepth,
            let list = try? PropertyListSerialization.propertyList(from: data, options: [], format: nil),
            let binary = try? PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
        else { throw KeyedArchiveError("The archive is not an undamaged property list.") }
        return binary
    }

    /// How deep arrays and dictionaries are nested.
    private static func depth(ofXML data: Data) -> Int {
        var (depth, deepest) = (0, 0)
        for place in data.indices where data[place] == UInt8(ascii: "<") {
            let tag = String(decoding: data[place...].prefix(8), as: UTF8.self)
            if tag.hasPrefix("</array") || tag.hasPrefix("</dict") {
                depth -= 1
            } else if tag.hasPrefix("<array") || tag.hasPrefix("<dict"), !tag.hasSuffix("/>"), !tag.hasPrefix("<dict/>")
            {
                depth += 1
                deepest = max(deepest, depth)
            }
        }
        return deepest
    }
}
