import Foundation

/// A server of map tiles that the owner has chosen. The page shows its tiles below routes, so that it learns where those
/// are; without one, routes are drawn alone.
package struct MapTiles: Hashable, Sendable {
    /// The URL of a tile with `{z}`, `{x}` and `{y}`.
    let template: String
    /// The attribution that the owner of the map requires.
    let attribution: String?
    /// The scheme, host and port, which the page's images may come from.
    let origin: String

    /// Creates the tiles of a URL such as `https://tiles.example.org/{z}/{x}/{y}.png`; `nil` if it is another URL.
    package init?(template: String, attribution: String? = nil) {
        var plain = template
        for part in ["{z}", "{x}", "{y}"] {
            guard template.contains(part) else { return nil }
            plain = plain.replacingOccurrences(of: part, with: "0")
        }
        // What ends a directive of the policy, or a part of the URL that isn't the host, can't be in the origin.
        guard let url = URLComponents(string: plain), ["https", "http"].contains(url.scheme ?? ""), url.user == nil,
            let host = url.host, !host.isEmpty, template.hasPrefix("\(url.scheme ?? "")://\(host)"),
            host.utf8.allSatisfy({ byte in
                UInt8(ascii: "a")...UInt8(ascii: "z") ~= byte | 0x20 || UInt8(ascii: "0")...UInt8(ascii: "9") ~= byte
                    || [0x2D, 0x2E, 0x3A, 0x5B, 0x5D].contains(byte)
            })
        else { return nil }
        self.template = template
        self.attribution = attribution
        origin = "\(url.scheme ?? "")://\(host)" + (url.port.map { ":\($0)" } ?? "")
    }
}
