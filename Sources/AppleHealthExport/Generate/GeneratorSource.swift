/// Who wrote a record, as the attributes of the archive say it, already escaped.
struct GeneratorSource {
    /// Who it is, in whatever words.
    enum Role: CaseIterable {
        case watch, watchBefore, phone, food, scale, byHand
    }

    let role: Role
    /// The attributes `sourceName`, `sourceVersion` and `device`, each with a blank before it.
    let attributes: [UInt8]

    init(_ role: Role, name: String, version: String?, device: String?) {
        self.role = role
        var text = " sourceName=\"\(name)\""
        if let version { text += " sourceVersion=\"\(version)\"" }
        if let device { text += " device=\"&lt;&lt;HKDevice: \(device)&gt;\"" }
        attributes = Array(text.utf8)
    }

    /// A curly apostrophe and a non-breaking space, as telephones write it.
    static let watch = GeneratorSource(
        .watch, name: "Mia’s Apple\u{A0}Watch", version: "11.1",
        device: "0x301a4c2d0&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:11.1")
    /// The same watch before an update: another pointer, another software.
    static let watchBefore = GeneratorSource(
        .watchBefore, name: "Mia’s Apple\u{A0}Watch", version: "10.6.1",
        device: "0x301b99e40&gt;, name:Apple Watch, manufacturer:Apple Inc., model:Watch, hardware:Watch7,1, software:10.6.1")
    static let phone = GeneratorSource(
        .phone, name: "Mia’s iPhone 📱", version: "18.1",
        device: "0x3019f0b90&gt;, name:iPhone, manufacturer:Apple Inc., model:iPhone, hardware:iPhone15,2, software:18.1")
    /// An application: no device, quotes and an ampersand in its name.
    static let food = GeneratorSource(.food, name: "Chew &quot;&amp;&quot; Log 🥗", version: "7.4", device: nil)
    static let scale = GeneratorSource(
        .scale, name: "Balance", version: "312",
        device: "0x3018aa7c0&gt;, name:Body+, manufacturer:Balance &amp; Co, model:B1, hardware:2, software:1.9")
    /// Typed into the Health application.
    static let byHand = GeneratorSource(.byHand, name: "Health", version: "18.1", device: nil)
}
