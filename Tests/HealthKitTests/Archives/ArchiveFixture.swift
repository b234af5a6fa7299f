import Foundation

/// A keyed archive written by hand, object by object, as Apple's archiver lays it out.
struct ArchiveFixture {
    enum Value {
        case text(String)
        case integer(Int)
        case real(Double)
        case boolean(Bool)
        case data(Data)
        case reference(Int)
        case list([Value])
        case fields([(String, Value)])

        fileprivate var xml: String {
            switch self {
            case .text(let text):
                "<string>\(text.replacingOccurrences(of: "&", with: "&amp;").replacingOccurrences(of: "<", with: "&lt;"))</string>"
            case .integer(let number): "<integer>\(number)</integer>"
            case .real(let number): "<real>\(number)</real>"
            case .boolean(let truth): truth ? "<true/>" : "<false/>"
            case .data(let data): "<data>\(data.base64EncodedString())</data>"
            case .reference(let index): "<dict><key>CF$UID</key><integer>\(index)</integer></dict>"
            case .list(let list): "<array>\(list.map(\.xml).joined())</array>"
            case .fields(let fields):
                "<dict>\(fields.map { "<key>\($0.0)</key>\($0.1.xml)" }.joined())</dict>"
            }
        }
    }

    static let null = Value.reference(0)

    private(set) var objects: [Value] = [.text("$null")]
    private var classes: [String: Value] = [:]

    /// Adds a value; the reference to it.
    mutating func add(_ value: Value) -> Value {
        objects.append(value)
        return .reference(objects.count - 1)
    }

    /// Adds an object of a class with these ancestors, the class first.
    mutating func add(_ names: [String], _ fields: [(String, Value)]) -> Value {
        if classes[names[0]] == nil {
            classes[names[0]] = add(
                .fields([
                    ("$classname", .text(names[0])), ("$classes", .list((names + ["NSObject"]).map { .text($0) })),
                ]))
        }
        return add(.fields(fields + [("$class", classes[names[0]] ?? Self.null)]))
    }

    mutating func add(_ uuid: UUID) -> Value {
        let bytes = withUnsafeBytes(of: uuid.uuid) { Data($0) }
        return add(["NSUUID"], [("NS.uuidbytes", .data(bytes))])
    }

    mutating func add(_ entries: [(String, Value)]) -> Value {
        let keys = entries.map { add(.text($0.0)) }
        return add(["NSDictionary"], [("NS.keys", .list(keys)), ("NS.objects", .list(entries.map(\.1)))])
    }

    mutating func addQuantity(_ value: Value, _ unit: String, unitClass: [String] = ["_HKCompoundUnit", "HKUnit"])
        -> Value
    {
        let text = add(.text(unit))
        let unit = add(unitClass, [("HKUnitStringKey", text)])
        return add(["HKQuantity"], [("UnitKey", unit), ("ValueKey", value)])
    }

    /// The archive as XML.
    func xml(_ root: Value) -> Data {
        let fields: [(String, Value)] = [
            ("$version", .integer(100_000)), ("$archiver", .text("NSKeyedArchiver")),
            ("$top", .fields([("root", root)])),
            ("$objects", .list(objects)),
        ]
        return Data(
            """
            <?xml version="1.0" encoding="UTF-8"?>
            <!DOCTYPE plist PUBLIC "-//Apple//DTD PLIST 1.0//EN" "http://www.apple.com/DTDs/PropertyList-1.0.dtd">
            <plist version="1.0">\(Value.fields(fields).xml)</plist>
            """.utf8)
    }

    /// The archive as `archivedData(withRootObject:requiringSecureCoding:)` returns it.
    func binary(_ root: Value) throws -> Data {
        let list = try PropertyListSerialization.propertyList(from: xml(root), format: nil)
        return try PropertyListSerialization.data(fromPropertyList: list, format: .binary, options: 0)
    }
}

extension ArchiveFixture {
    static let uuid = UUID(uuidString: "0F1E2D3C-4B5A-4978-8697-A5B4C3D2E1F0") ?? UUID()

    /// A sample as an iPhone archives it, with changes to its fields.
    static func sample(
        _ names: [String] = ["HKDiscreteQuantitySample", "HKQuantitySample", "HKSample", "HKObject"],
        type: [String] = ["HKQuantityType", "HKSampleType", "HKObjectType"], code: Int = 5,
        changes: (inout ArchiveFixture, inout [String: Value?]) -> Void = { _, _ in }
    ) -> (fixture: ArchiveFixture, root: Value) {
        var fixture = ArchiveFixture()
        var fields: [String: Value?] = [
            "UUID": fixture.add(uuid), "Metadata": null, "SourceRevision": null, "SourceBundleID": null, "Device": null,
            "CTS": .real(700_000_000.25), "StartTS": .real(600_000_000.5), "EndTS": .real(600_000_060.75),
            "DataType": fixture.add(type, [("Code", .integer(code))]), "Count": .integer(1),
            "Quantity": fixture.addQuantity(.real(61.5), "count/min"),
        ]
        changes(&fixture, &fields)
        let root = fixture.add(
            names, fields.sorted { $0.key < $1.key }.compactMap { key, value in value.map { (key, $0) } })
        return (fixture, root)
    }

    static func deletedObject(metadata: (inout ArchiveFixture) -> Value = { _ in null }) -> (
        fixture: ArchiveFixture, root: Value
    ) {
        var fixture = ArchiveFixture()
        let fields = [("UUID", fixture.add(uuid)), ("Metadata", metadata(&fixture))]
        let root = fixture.add(["HKDeletedObject"], fields)
        return (fixture, root)
    }
}
