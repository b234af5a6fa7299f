import HealthModel

/// Who wrote a record, as far as an archive tells: it gives a source's name and version, never its
/// bundle identifier, so one is derived from the name alone and is the same in every archive.
enum SourceText {
    private static let products = ["Apple Watch", "iPhone", "iPad", "iPod"]

    /// The identity of the source with this name.
    static func source(named name: String) -> SourceRecord {
        SourceRecord(bundleIdentifier: bundleIdentifier(forName: name), name: name)
    }

    /// The source at one version; on an Apple device its product and system are known too.
    static func revision(name: String, version: String?, device: DeviceRecord?) -> SourceRevisionRecord {
        var revision = SourceRevisionRecord(source: source(named: name), version: version)
        if let device, device.manufacturer?.hasPrefix("Apple") == true {
            revision.productType = device.hardwareVersion
            if let software = device.softwareVersion { revision.operatingSystemVersion = systemVersion(software) }
        }
        return revision
    }

    /// Apple's devices are `com.apple.health.<number>` on a phone too; the Health app is itself; others
    /// are `import.<name>`, with a number where the name had to be changed.
    private static func bundleIdentifier(forName name: String) -> String {
        if name == "Health" { return "com.apple.Health" }
        // Watches are named with a non-breaking space: “Jo’s Apple\u{A0}Watch”.
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

    /// `17.4.1` as three numbers; what is no number counts as 0.
    private static func systemVersion(_ text: String) -> OperatingSystemVersionRecord {
        let parts = text.split(separator: ".").prefix(3).map { Int($0) ?? 0 }
        func part(_ index: Int) -> Int { index < parts.count ? parts[index] : 0 }
        return OperatingSystemVersionRecord(major: part(0), minor: part(1), patch: part(2))
    }

    /// FNV-1a over the name's UTF-8, finished so that few digits of it differ well. Part of stored
    /// identities: it must never change.
    private static func hexadecimal(_ name: String, digits: Int) -> String {
        var hash: UInt64 = 0xCBF2_9CE4_8422_2325
        for byte in name.utf8 { hash = (hash ^ UInt64(byte)) &* 0x100_0000_01B3 }
        hash ^= hash >> 32
        hash = hash &* 0xD6E8_FEB8_6659_FD93
        hash ^= hash >> 32
        let text = String(hash, radix: 16, uppercase: true)
        return (String(repeating: "0", count: 16 - text.count) + text).suffix(digits).description
    }
}
