import HealthModel

/// The source of a record. An archive has a source's name and version but not its bundle identifier, so the
/// identifier is derived from the name alone and is the same for every archive.
enum SourceText {
    /// The attribute for the source's name in archives of the first versions of iOS 8.
    static let earlyAttribute = "source"
    /// The name of the source of elements without one. It is part of stored identifiers and must never change.
    static let unknown = "Unknown"
    private static let products = ["Apple Watch", "iPhone", "iPad", "iPod"]

    /// Returns the source with this name.
    static func source(named name: String) -> SourceRecord {
        SourceRecord(bundleIdentifier: bundleIdentifier(forName: name), name: name)
    }

    /// Returns the source revision. On an Apple device, it includes the product type and the operating system version.
    static func revision(name: String, version: String?, device: DeviceRecord?) -> SourceRevisionRecord {
        var revision = SourceRevisionRecord(source: source(named: name), version: version)
        if let device, device.manufacturer?.hasPrefix("Apple") == true {
            revision.productType = device.hardwareVersion
            if let software = device.softwareVersion { revision.operatingSystemVersion = systemVersion(software) }
        }
        return revision
    }

    /// As on an iPhone, Apple's devices get `com.apple.health.<number>`, and Health gets its own identifier. Other
    /// sources get `import.<name>`, with a number if the name had to be changed.
    private static func bundleIdentifier(forName name: String) -> String {
        if name == "Health" { return "com.apple.Health" }
        // The names of watches contain a no-break space: “Jo’s Apple\u{A0}Watch”.
        let plain = String(name.map { $0 == "\u{A0}" ? " " : $0 })
        if products.contains(where: plain.contains) { return "com.apple.health." + hexadecimal(name, digits: 16) }
        var slug = ""
        for scalar in name.unicodeScalars {
            if scalar.isASCII, scalar.properties.isAlphabetic || ("0"..."9").contains(scalar) {
                slug += scalar.properties.lowercaseMapping
            } else if !slug.isEmpty, slug.last != "-" {
                slug += "-"
            }
        }
        while slug.last == "-" { slug.removeLast() }
        if slug == name { return "import." + slug }
        let number = hexadecimal(name, digits: 8)
        return slug.isEmpty ? "import." + number : "import.\(slug)-\(number)"
    }

    /// Parses `17.4.1` as three numbers. A part that is not a number counts as 0.
    private static func systemVersion(_ text: String) -> OperatingSystemVersionRecord {
        let parts = text.split(separator: ".").prefix(3).map { Int($0) ?? 0 }
        func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }
        return OperatingSystemVersionRecord(major: part(0), minor: part(1), patch: part(2))
    }

    /// An FNV-1a hash of the name's UTF-8, mixed so that a few digits of it suffice. It is part of stored identifiers
    /// and must never change.
    private static func hexadecimal(_ name: String, digits: Int) -> String {
        var hash = FNV1a.hash(name.utf8)
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        let text = String(hash, radix: 16, uppercase: true)
        return (String(repeating: "0", count: 16 - text.count) + text).suffix(digits).description
    }
}
