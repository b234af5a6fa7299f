import Foundation

/// The sources of a dialect's archive: software of its time, and pointers that change from record to record
/// and from export to export, as a telephone prints them.
struct GeneratorSources {
    /// How many different pointers one device is printed with.
    private static let pointers = 4
    /// Attributes by source, then by pointer.
    private let texts: [GeneratorSource.Role: [[UInt8]]]

    init(_ dialect: ArchiveDialect, seed: UInt64, exportDate: Date) {
        var random = GeneratorRandom(seed: seed, stream: "pointers \(Int(exportDate.timeIntervalSinceReferenceDate))")
        // The watch's system is seven numbers behind the telephone's, until both were counted alike.
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
                            device: "\(pointer)&gt;, name:Apple Watch, manufacturer:\(apple), model:Watch, hardware:Watch6,7, software:\(watch).1")
                    case .watchBefore:
                        GeneratorSource(
                            .watchBefore, name: "Mia’s Apple\u{A0}Watch", version: "\(watch).0.1",
                            device: "\(pointer)&gt;, name:Apple Watch, manufacturer:Apple, model:Watch, hardware:Watch3,4, software:\(watch).0.1")
                    case .phone:
                        GeneratorSource(
                            .phone, name: "Mia’s iPhone 📱", version: phone,
                            device: "\(pointer)&gt;, name:iPhone, manufacturer:\(apple), model:iPhone, hardware:iPhone10,4, software:\(phone)")
                    case .food: .food
                    case .scale:
                        GeneratorSource(
                            .scale, name: "Balance", version: nil,
                            device: "\(pointer)&gt;, name:Body+, manufacturer:Balance &amp; Co, model:B1, hardware:2, software:1.9")
                    case .byHand: GeneratorSource(.byHand, name: "Health", version: phone, device: nil)
                    }
                return source.attributes
            }
        }
        self.texts = texts
    }

    /// The source's attributes in an element that starts at `second`.
    func attributes(of source: GeneratorSource, at second: Int) -> [UInt8] {
        texts[source.role]?[abs(second) % Self.pointers] ?? source.attributes
    }
}
