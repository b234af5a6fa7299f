import Foundation

/// The source of a record as escaped attributes.
struct GeneratorSource {
    /// The roles of sources.
    enum Role: CaseIterable {
        case watch, watchBefore, phone, food, scale, byHand, sensor, tracker
    }

    let role: Role
    /// The attributes `sourceName`, `sourceVersion` and `device`, each with a space before it.
    let attributes: [UInt8]

    init(_ role: Role, name: String, version: String?, device: String?) {
        self.role = role
        var text = " sourceName=\"\(name)\""
        if let version { text += " sourceVersion=\"\(version)\"" }
        if let device { text += " device=\"&lt;&lt;HKDevice: \(device)&gt;\"" }
        attributes = Array(text.utf8)
    }

    /// The only attribute of the first archives.
    var firstAttributes: [UInt8] {
        let text = String(decoding: attributes, as: UTF8.self)
        let end = text.range(of: "\" ")?.lowerBound ?? text.index(before: text.endIndex)
        return Array((text[..<end].replacing(" sourceName=", with: " source=") + "\"").utf8)
    }

    /// A name with a curly apostrophe and a non-breaking space, as iOS writes it.
    static let watch = GeneratorSource(
        .watch, name: "Mia’s Apple\u{A0}Watch", version: "11.1",
        device:
            "0x301a4c2d0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.1")
    /// The same watch before an update, with another pointer and software version.
    static let watchBefore = GeneratorSource(
        .watchBefore, name: "Mia’s Apple\u{A0}Watch", version: "10.6.1",
        device:
            "0x301b99e40&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:10.6.1"
    )
    static let phone = GeneratorSource(
        .phone, name: "Mia’s iPhone 📱", version: "18.1",
        device:
            "0x3019f0b90&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:18.1")
    /// An app without a device, with quotes and an ampersand in its name.
    static let food = GeneratorSource(.food, name: "Chew &quot;&amp;&quot; Log 🥗", version: "7.4", device: nil)
    static let scale = GeneratorSource(
        .scale, name: "Balance", version: "312",
        device: "0x3018aa7c0&gt;, name:Body+, manufacturer:Balance &amp; Co, model:B1, hardware:2, software:1.9")
    /// The app of a sensor of glucose.
    static let sensor = GeneratorSource(
        .sensor, name: "Continuous", version: "4.2",
        device: "0x301c02e10&gt;, name:Sensor, manufacturer:Continuous, model:C3, hardware:C3, software:1.4")
    /// An app that estimates what other sources measure.
    static let tracker = GeneratorSource(.tracker, name: "Stride", version: "2.0", device: nil)
    /// Entered in the Health app.
    static let byHand = GeneratorSource(.byHand, name: "Health", version: "18.1", device: nil)
}

/// The sources of a dialect's archive, with its software versions and with pointers that differ between records and
/// exports, as on iOS.
struct GeneratorSources {
    /// The number of different pointers of a device.
    private static let pointers = 4
    /// Attributes by source and pointer.
    private let texts: [GeneratorSource.Role: [[UInt8]]]

    init(_ dialect: ArchiveDialect, seed: UInt64, exportDate: Date) {
        var random = GeneratorRandom(seed: seed, stream: "pointers \(Int(exportDate.timeIntervalSinceReferenceDate))")
        // Until iOS 26, the major version of watchOS was lower by seven.
        let watch = max(1, dialect.major >= 26 ? dialect.major : dialect.major - 7)
        let phone = "\(dialect.major).\(dialect.minor)"
        let apple = dialect.manufacturer
        var texts: [GeneratorSource.Role: [[UInt8]]] = [:]
        for role in GeneratorSource.Role.allCases {
            texts[role] = (0..<Self.pointers).map { _ in
                let pointer = "0x28" + String(random.integer(0x100_0000...0xFFF_FFFF), radix: 16)
                let source: GeneratorSource =
                    switch role {
                    case .watch:
                        GeneratorSource(
                            .watch, name: "Mia’s Apple\u{A0}Watch", version: "\(watch).1",
                            device:
                                "\(pointer)&gt;, name:Apple Watch, manufacturer:\(apple), model:Watch, hardware:Watch6,7, software:\(watch).1"
                        )
                    case .watchBefore:
                        GeneratorSource(
                            .watchBefore, name: "Mia’s Apple\u{A0}Watch", version: "\(watch).0.1",
                            device:
                                "\(pointer)&gt;, name:Apple Watch, manufacturer:Apple, model:Watch, hardware:Watch3,4, software:\(watch).0.1"
                        )
                    case .phone:
                        GeneratorSource(
                            .phone, name: "Mia’s iPhone 📱", version: phone,
                            device:
                                "\(pointer)&gt;, name:iPhone, manufacturer:\(apple), model:iPhone, hardware:iPhone10,4, software:\(phone)"
                        )
                    case .food: .food
                    case .sensor: .sensor
                    case .tracker: .tracker
                    case .scale:
                        GeneratorSource(
                            .scale, name: "Balance", version: nil,
                            device:
                                "\(pointer)&gt;, name:Body+, manufacturer:Balance &amp; Co, model:B1, hardware:2, software:1.9"
                        )
                    case .byHand: GeneratorSource(.byHand, name: "Health", version: phone, device: nil)
                    }
                return dialect.hasFirstForm ? source.firstAttributes : source.attributes
            }
        }
        self.texts = texts
    }

    /// The attributes of a source in an element that starts at `second`.
    func attributes(of source: GeneratorSource, at second: Int) -> [UInt8] {
        texts[source.role]?[abs(second) % Self.pointers] ?? source.attributes
    }
}
