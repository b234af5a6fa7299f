import Crypto
import Foundation

@testable import HealthCards

/// Issues EU Digital COVID Certificates, as a health authority does, also invalid ones.
struct CertificateIssuer {
    let key = P256.Signing.PrivateKey()
    let keyIdentifier: [UInt8] = [1, 2, 3, 4, 5, 6, 7, 8]

    /// A vaccination; names, dates and numbers are made up.
    static let vaccination: CBORValue = .map([
        .text("v"): .list([
            .map([
                .text("tg"): .text("840539006"), .text("vp"): .text("1119349007"), .text("mp"): .text("EU/1/20/1528"),
                .text("dn"): .integer(2), .text("sd"): .integer(2), .text("dt"): .text("2021-05-29"),
                .text("co"): .text("AT"),
            ])
        ]),
        .text("nam"): .map([.text("fn"): .text("Musterfrau"), .text("gn"): .text("Gabriele")]),
        .text("dob"): .text("1998-02-26"), .text("ver"): .text("1.3.0"),
    ])

    static func entry(_ kind: String, _ fields: [String: String]) -> CBORValue {
        .map([
            .text(kind): .list([.map(Dictionary(uniqueKeysWithValues: fields.map { (.text($0.key), .text($0.value)) }))]
            ),
            .text("nam"): .map([.text("fnt"): .text("DOE")]), .text("dob"): .text("1980"),
        ])
    }

    /// The keys as a JWK set.
    var keys: Data {
        let raw = key.publicKey.rawRepresentation
        return Data(
            """
            {"keys":[{"kty":"EC","crv":"P-256","kid":"\(Data(keyIdentifier).base64EncodedString())",\
            "x":"\(CardIssuer.text(raw.prefix(32)))","y":"\(CardIssuer.text(raw.suffix(32)))"}]}
            """.utf8)
    }

    /// The text of a certificate's code.
    func certificate(
        _ certificate: CBORValue = Self.vaccination, algorithm: Int64 = -7, claims: [CBORValue: CBORValue]? = nil,
        isTagged: Bool = true
    ) throws -> String {
        let header = Self.bytes(.map([.integer(1): .integer(algorithm), .integer(4): .bytes(keyIdentifier)]))
        let payload = Self.bytes(
            .map(
                claims ?? [
                    .integer(1): .text("AT"), .integer(4): .integer(1_800_000_000),
                    .integer(6): .integer(1_622_505_600),
                    .integer(-260): .map([.integer(1): certificate]),
                ]))
        let signed = EUDigitalCOVIDCertificate.signedBytes(protected: header, payload: payload)
        let signature = Array(try key.signature(for: Data(signed)).rawRepresentation)
        let message: CBORValue = .list([.bytes(header), .map([:]), .bytes(payload), .bytes(signature)])
        return Self.text(of: Self.bytes(isTagged ? .tagged(18, message) : message))
    }

    /// Deflated as zlib does, except the checksum, which is not checked; in base 45.
    static func text(of message: [UInt8]) -> String {
        "HC1:" + base45([0x78, 0x9C] + CardIssuer.deflated(message) + [0, 0, 0, 0])
    }

    static func base45(_ bytes: [UInt8]) -> String {
        let letters = Array("0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZ $%*+-./:")
        var text = ""
        for start in stride(from: 0, to: bytes.count, by: 2) {
            let isPair = start + 1 < bytes.count
            var number = isPair ? Int(bytes[start]) * 256 + Int(bytes[start + 1]) : Int(bytes[start])
            for _ in 0..<(isPair ? 3 : 2) {
                text.append(letters[number % 45])
                number /= 45
            }
        }
        return text
    }

    /// The value as CBOR.
    static func bytes(_ value: CBORValue) -> [UInt8] {
        func head(_ major: UInt8, _ argument: UInt64) -> [UInt8] {
            switch argument {
            case 0..<24: [major << 5 | UInt8(argument)]
            case 24..<0x100: [major << 5 | 24, UInt8(argument)]
            case 0x100..<0x1_0000:
                [major << 5 | 25] + (0..<2).reversed().map { UInt8(truncatingIfNeeded: argument >> (8 * $0)) }
            case 0x1_0000..<0x1_0000_0000:
                [major << 5 | 26] + (0..<4).reversed().map { UInt8(truncatingIfNeeded: argument >> (8 * $0)) }
            default: [major << 5 | 27] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: argument >> (8 * $0)) }
            }
        }
        switch value {
        case .integer(let number): return number >= 0 ? head(0, UInt64(number)) : head(1, UInt64(-1 - number))
        case .bytes(let bytes): return head(2, UInt64(bytes.count)) + bytes
        case .text(let text): return head(3, UInt64(text.utf8.count)) + Array(text.utf8)
        case .list(let list): return head(4, UInt64(list.count)) + list.flatMap { Self.bytes($0) }
        case .map(let map):
            return head(5, UInt64(map.count)) + map.flatMap { Self.bytes($0.key) + Self.bytes($0.value) }
        case .tagged(let tag, let inner): return head(6, tag) + Self.bytes(inner)
        case .number(let number):
            return [0xFB] + (0..<8).reversed().map { UInt8(truncatingIfNeeded: number.bitPattern >> (8 * $0)) }
        case .bool(let flag): return [flag ? 0xF5 : 0xF4]
        case .null: return [0xF6]
        }
    }
}
