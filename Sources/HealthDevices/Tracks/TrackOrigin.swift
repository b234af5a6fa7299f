import HealthFiles
import HealthModel

/// The device or program that a TCX or GPX file names, as the source of what it contains.
struct TrackOrigin: Sendable {
    let samples: SampleOrigin
    /// The name of the device's manufacturer, if that is known.
    let brand: String?

    /// A program, which may have read the file of any device.
    init(program: String?, format: String) {
        let name = program.flatMap { $0.isEmpty ? nil : $0 } ?? "\(format) file"
        samples = SampleOrigin("\(format.lowercased()).\(name.lowercased())", name)
        brand = nil
    }

    /// A device as TCX files describe it. One of Garmin's is the same source as in its FIT files.
    init(device: String, product: String?, serial: String?, version: String?) {
        let number = serial.flatMap { UInt32($0) }.flatMap { $0 > 0 ? $0 : nil }
        var (name, identifier, model) = (device, "tcx.\(device.lowercased()).\(number ?? 0)", device)
        let listed = product.flatMap { Int64($0) }.flatMap { FITProductName.garminProducts[$0] }
        if let number, let product, let listed, Self.isSame(device, listed) {
            (name, model, brand) = ("Garmin \(listed)", listed, "Garmin")
            identifier = "fit.\(Self.garmin).\(product).\(number)"
        } else {
            brand = device.lowercased().hasPrefix("garmin") ? "Garmin" : nil
        }
        samples = SampleOrigin(
            revision: SourceRevisionRecord(
                source: SourceRecord(bundleIdentifier: identifier, name: name), version: version, productType: model),
            device: DeviceRecord(
                name: name, manufacturer: brand, model: model, softwareVersion: version,
                localIdentifier: number.map(String.init)))
    }

    /// The number of Garmin as a manufacturer.
    private static let garmin = 1

    /// Other programs write numbers of Garmin's products beside their own names.
    private static func isSame(_ name: String, _ listed: String) -> Bool {
        func plain(_ text: String) -> String { text.lowercased().filter { $0.isLetter || $0.isNumber } }
        let (name, listed) = (plain(name), plain(listed))
        return name.contains(listed) || listed.contains(name) && name.count > 3
    }
}
