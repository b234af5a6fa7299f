import HealthDaemon
import NIOCore

/// A private network that this machine is in, such as the Wi-Fi at home. Its addresses are of version 4, which every
/// such network has.
package struct LocalNetwork: Hashable, Sendable {
    /// The name of the interface, such as `wlan0`.
    package let interface: String
    /// The address of this machine.
    package let address: String
    private let own: [UInt8]
    private let mask: [UInt8]

    /// The network of an address of this machine; without one, that of its Wi-Fi or else its cable rather than one of
    /// containers and tunnels. `nil` if there is none.
    package static func find(address: String? = nil) -> LocalNetwork? {
        let networks = ((try? System.enumerateDevices()) ?? []).compactMap(LocalNetwork.init)
        if let address { return networks.first { $0.address == address } }
        let kinds = ["wl", "en", "eth"]
        return networks.filter { !HostNames.isLoopback($0.address) }.min { one, other in
            func rank(_ network: LocalNetwork) -> Int {
                kinds.firstIndex { network.interface.hasPrefix($0) } ?? kinds.count
            }
            return rank(one) < rank(other)
        }
    }

    private init?(_ device: NIONetworkDevice) {
        guard let text = device.address?.ipAddress, let address = NetworkAddress(text), address.isPrivate,
            let mask = device.netmask?.ipAddress.flatMap(NetworkAddress.init), address.bytes.count == 4,
            mask.bytes.count == 4
        else { return nil }
        (interface, self.address, own, self.mask) = (device.name, text, address.bytes, mask.bytes)
    }

    /// The addresses of the network, such as `192.168.1.0/24`.
    package var range: String {
        let first = zip(own, mask).map { String($0 & $1) }.joined(separator: ".")
        return "\(first)/\(mask.reduce(0) { $0 + $1.nonzeroBitCount })"
    }

    /// Returns whether an address is of a device in the network.
    func contains(_ address: String) -> Bool {
        guard let other = NetworkAddress(address)?.bytes, other.count == 4 else { return false }
        return (0..<4).allSatisfy { own[$0] & mask[$0] == other[$0] & mask[$0] }
    }
}
