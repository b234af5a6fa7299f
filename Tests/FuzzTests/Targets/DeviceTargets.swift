@testable import HealthDevices

/// The files of devices.
enum DeviceTargets {
    static let all = [
        FuzzTarget(name: "fit", examples: { [example] }, words: [".FIT", "\u{E} ", "@\0\0"]) { bytes in
            for recovers in [false, true] { _ = FITReader.read(bytes, recoversDamaged: recovers) }
        }
    ]

    /// A file with an identity and two records, one of them with a compressed header.
    private static var example: [UInt8] {
        let definitions: [UInt8] = [
            0x40, 0, 0, 0, 0, 2, 0, 1, 0, 1, 2, 0x84, 0, 4, 1, 0,
            0x41, 0, 1, 0, 20, 3, 253, 4, 0x86, 3, 1, 2, 8, 3, 13,
        ]
        let records: [UInt8] = [1, 0x3B, 0x9A, 0xCA, 0, 120, 0, 1, 0xFA, 0xA5, 0x3B, 0x9A, 0xCA, 5, 121, 0, 0x41, 6]
        let body = definitions + records
        let header: [UInt8] = [12, 0x20, 0, 0, UInt8(body.count), 0, 0, 0] + Array(".FIT".utf8)
        let checksum = FITChecksum.value(of: header + body)
        return header + body + [UInt8(checksum & 0xFF), UInt8(checksum >> 8)]
    }
}
