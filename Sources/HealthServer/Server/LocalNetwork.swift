import Foundation
import HealthDaemon
import NIOCore

/// A private network that this machine is in, such as the Wi-Fi at home: the devices that one of its interfaces reaches
/// directly, by addresses of both versions.
package struct LocalNetwork: Hashable, Sendable {
    /// The addresses of this machine in it, the one for links first.
    private let places: [Place]

    /// The network of an address of this machine, which may name its interface, as in `fe80::1%wlan0`; without one, that of
    /// its Wi-Fi or else its cable rather than one of containers and tunnels. `nil` if there is none.
    package static func find(address: String? = nil) -> LocalNetwork? {
        find(address: address, among: ((try? System.enumerateDevices()) ?? []).compactMap(Place.init))
    }

    static func find(address: String?, among all: [Place]) -> LocalNetwork? {
        let usual = all.filter { !$0.isLoopback && ($0.kind < Place.kinds.count || !$0.isLinkLocal) }
        let found = address.map { text in all.first { $0.isCalled(text) } } ?? usual.min { $0.order < $1.order }
        return found.map { LocalNetwork($0, among: all) }
    }

    private init(_ first: Place, among all: [Place]) {
        let others = all.filter { $0.interface == first.interface && $0 != first && !first.isLoopback }
        places = [first] + others.sorted { $0.order < $1.order }
    }

    /// The name of the interface, such as `wlan0`.
    package var interface: String { places[0].interface }

    /// The host by which others reach this machine: its address, or where there are only those of the link, which browsers
    /// don't open, its name.
    package var host: String {
        let text = places[0].address.text
        return places[0].isLinkLocal ? HostNames.machine.last ?? text : text
    }

    /// The address to listen on: of this machine as well, by any of its names, and of both versions where there are both.
    package var listeningHost: String { places.contains { $0.address.bytes.count == 16 } ? "::" : "0.0.0.0" }

    /// The addresses of the network, such as `192.168.1.0/24, fd12:3456::/64`.
    package var range: String {
        let named = places.filter { !$0.isLinkLocal }
        let ranges = (named.isEmpty ? places : named).map(\.range)
        return ranges.enumerated().filter { !ranges[..<$0].contains($1) }.map(\.element).joined(separator: ", ")
    }

    /// Returns whether an address is of a device in the network.
    func contains(_ peer: SocketAddress) -> Bool {
        guard let address = peer.ipAddress.flatMap(NetworkAddress.init) else { return false }
        // Every link has the same addresses of its own.
        var link: Int?
        if case .v6(let long) = peer { link = Int(long.address.sin6_scope_id) }
        return places.contains { $0.reaches(address) && (!$0.isLinkLocal || $0.index == link) }
    }
}

extension LocalNetwork {
    /// An address of this machine in one of its interfaces.
    struct Place: Hashable, Sendable {
        var interface: String
        /// The number of the interface.
        var index: Int
        var address: NetworkAddress
        /// The number of bits that the addresses of the network have in common.
        var bits: Int

        /// The beginnings of the names of interfaces for Wi-Fi and cables.
        static let kinds = ["wl", "en", "eth"]

        /// The place of the interface among the kinds.
        var kind: Int { Self.kinds.firstIndex { interface.hasPrefix($0) } ?? Self.kinds.count }
        var isLoopback: Bool { HostNames.isLoopback(address.text) }
        /// Whether it is fe80::/10, of a link alone.
        var isLinkLocal: Bool {
            address.bytes.count == 16 && address.bytes[0] == 0xFE && address.bytes[1] & 0xC0 == 0x80
        }

        /// Of what to choose from, the best first: what links can name, then the kind, then the shortest.
        var order: (Int, Int, Int) {
            (isLinkLocal ? 1 : 0, kind, address.bytes.count == 4 ? 0 : address.isPrivate ? 1 : 2)
        }

        var range: String {
            let first = try? SocketAddress(packedIPAddress: ByteBuffer(bytes: network(of: address)), port: 0)
            return "\(first?.ipAddress ?? address.text)/\(bits)"
        }

        /// Returns whether a device with an address is in the network.
        func reaches(_ other: NetworkAddress) -> Bool {
            other.bytes.count == address.bytes.count && network(of: other) == network(of: address)
        }

        /// Returns whether a text is the address, perhaps with the interface behind it.
        func isCalled(_ text: String) -> Bool {
            let parts = text.split(separator: "%", maxSplits: 1).map(String.init)
            guard parts.first.flatMap(NetworkAddress.init)?.bytes == address.bytes else { return false }
            return parts.count < 2 || parts[1] == interface
        }

        private func network(of address: NetworkAddress) -> [UInt8] {
            address.bytes.enumerated().map { index, byte in
                byte & ~UInt8(truncatingIfNeeded: 0xFF >> max(min(bits - index * 8, 8), 0))
            }
        }
    }
}

extension LocalNetwork.Place {
    /// The place of an address that the devices of a private network can have; `nil` for another.
    fileprivate init?(_ device: NIONetworkDevice) {
        guard let address = device.address?.ipAddress.flatMap(NetworkAddress.init) else { return nil }
        let mask = device.netmask?.ipAddress.flatMap(NetworkAddress.init)?.bytes ?? []
        var bits = mask.reduce(0) { $0 + $1.nonzeroBitCount }
        if address.bytes.count == 4 {
            guard address.isPrivate, mask.count == 4 else { return nil }
        } else if !HostNames.isLoopback(address.text) {
            // Of version 6, each network has so many, also at home, where addresses are public ones as well. A router gives
            // a single address with all bits.
            bits = 64
        }
        self.init(interface: device.name, index: device.interfaceIndex, address: address, bits: bits)
    }
}
