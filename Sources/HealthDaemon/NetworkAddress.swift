import Dispatch
import Foundation

/// An IP address.
package struct NetworkAddress: Hashable, Sendable {
    /// Four bytes, or sixteen. An address of version 4 has four in its form of version 6 as well, such as
    /// `::ffff:192.168.1.7`.
    package let bytes: [UInt8]
    /// The address as a text.
    package let text: String

    /// Reads an address; `nil` for a name.
    package init?(_ text: String) {
        self.text = text
        var (short, long) = (in_addr(), in6_addr())
        if inet_pton(AF_INET, text, &short) == 1 {
            bytes = withUnsafeBytes(of: &short) { Array($0) }
        } else if inet_pton(AF_INET6, text, &long) == 1 {
            let all = withUnsafeBytes(of: &long) { Array($0) }
            let isMapped = all.prefix(12) == [0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0xFF, 0xFF]
            bytes = isMapped ? Array(all.suffix(4)) : all
        } else {
            return nil
        }
    }

    /// Whether the address is none of the public internet: of this machine, a private or shared network, a link, a
    /// group, or reserved. Of an address of version 6 with one of version 4 inside, both count.
    package var isPrivate: Bool {
        if bytes.count == 4 { return Self.isPrivate(bytes[...]) }
        let words = stride(from: 0, to: 16, by: 2).map { UInt16(bytes[$0]) << 8 | UInt16(bytes[$0 + 1]) }
        // Unspecified and loopback, and an old form of addresses of version 4.
        if words.prefix(6).allSatisfy({ $0 == 0 }) { return true }
        // Those that gateways translate: NAT64 and 6to4.
        if words[0] == 0x64, words[1] == 0xFF9B { return words[2] != 0 || Self.isPrivate(bytes[12...]) }
        if words[0] == 0x2002 { return Self.isPrivate(bytes[2..<6]) }
        // Only these are given to hosts of the internet. Unique local and link-local ones are others.
        return words[0] & 0xE000 != 0x2000 || words[0] == 0x2001 && (words[1] == 0xDB8 || words[1] == 0)
    }

    private static func isPrivate(_ bytes: ArraySlice<UInt8>) -> Bool {
        let parts = Array(bytes)
        switch (parts[0], parts[1]) {
        case (0, _), (10, _), (127, _), (100, 64...127), (169, 254), (172, 16...31), (192, 168), (198, 18...19):
            return true
        case (192, 0): return parts[2] == 0 || parts[2] == 2
        case (198, 51): return parts[2] == 100
        case (203, 0): return parts[2] == 113
        default: return parts[0] >= 224
        }
    }

    /// The addresses of a host; none if it has none, or the task is canceled.
    static func resolve(_ host: String) async -> [NetworkAddress] {
        if let address = NetworkAddress(host) { return [address] }
        // The system's search, which can take long, can't be interrupted.
        let (found, sender) = AsyncStream.makeStream(of: [NetworkAddress].self)
        DispatchQueue.global().async { sender.yield(lookUp(host)) }
        return await found.first { _ in true } ?? []
    }

    private static func lookUp(_ host: String) -> [NetworkAddress] {
        var hints = addrinfo()
        hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        var list: UnsafeMutablePointer<addrinfo>?
        guard getaddrinfo(host, nil, &hints, &list) == 0 else { return [] }
        defer { freeaddrinfo(list) }
        var addresses: [NetworkAddress] = []
        var next = list
        while let entry = next?.pointee {
            var name = [CChar](repeating: 0, count: Int(NI_MAXHOST))
            if getnameinfo(
                entry.ai_addr, entry.ai_addrlen, &name, socklen_t(name.count), nil, 0, NI_NUMERICHOST) == 0
            {
                let text = String(decoding: name.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
                // An address of a link has its interface behind it.
                if let address = NetworkAddress(String(text.prefix { $0 != "%" })) { addresses.append(address) }
            }
            next = entry.ai_next
        }
        return addresses
    }
}
