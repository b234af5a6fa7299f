import HealthFiles
import HealthModel

/// The sources of what Google's archives contain.
enum GoogleOrigin {
    /// The source of the samples in Fitbit's own files, which don't name a device.
    static let fitbit = SampleOrigin("google.fitbit", "Fitbit")

    /// A source as the tables name it: a device such as Charge 5, or a program.
    static func source(named name: String) -> SampleOrigin {
        guard !name.isEmpty else { return fitbit }
        return SampleOrigin("google.fitbit.\(name.lowercased())", name, device: DeviceRecord(name: name))
    }

    /// The origin of a point of Google Fit, such as
    /// `raw:com.google.heart_rate.bpm:com.example.app:Google:Pixel 8:7f3a2b1c:stream`, in which the application or the
    /// device may be missing.
    static func fit(stream: String) -> SampleOrigin {
        let parts = stream.split(separator: ":", omittingEmptySubsequences: false).map(String.init)
        var rest = parts.dropFirst(2)
        var application: String?
        if let first = rest.first, first.contains("."), !first.contains(" ") {
            application = String(rest.removeFirst())
        }
        let isDevice = rest.count >= 3
        let (maker, model, number) =
            isDevice ? (rest.removeFirst(), rest.removeFirst(), rest.removeFirst()) : ("", "", "")
        let device = [maker, model].filter { !$0.isEmpty }.joined(separator: " ")
        let name = device.isEmpty ? application ?? "Google Fit" : device
        let identifier = [application, device.isEmpty ? nil : device].compactMap(\.self).joined(separator: ".")
        return SampleOrigin(
            revision: SourceRevisionRecord(
                source: SourceRecord(
                    bundleIdentifier: identifier.isEmpty ? "google.fit" : "google.fit.\(identifier.lowercased())",
                    name: name), productType: model.isEmpty ? nil : model),
            device: device.isEmpty
                ? nil
                : DeviceRecord(
                    name: device, manufacturer: maker.isEmpty ? nil : maker, model: model.isEmpty ? nil : model,
                    localIdentifier: number.isEmpty ? nil : number))
    }
}
