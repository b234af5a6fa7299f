import Foundation
import HealthModel
import Testing

@testable import AppleHealthExport

/// Encoding and decoding lines of a supplement.
@Suite struct SupplementTextTests {
    private let revision = SourceRevisionRecord(
        source: SourceRecord(bundleIdentifier: "com.example", name: "Mia’s \"Scale\"\n/\u{1}"), version: nil,
        productType: "Watch7,1",
        operatingSystemVersion: .init(major: 10, minor: 6, patch: 1))

    private var lines: [SupplementLine] {
        [
            .supplement(version: 1, mainBytes: 414_029_312), .source(number: 1, revision: revision),
            .device(number: 2, device: DeviceRecord(name: "x", localIdentifier: "here")),
            .unit(number: 3, unit: "count/min"),
            .object(
                type: "HKWorkoutTypeIdentifier", place: nil, uuid: UUID(), start: 0.1 + 0.2, end: 1e-300, source: nil,
                device: 2,
                payload: Data([0, 255]), members: []),
            .members(of: UUID(), uuids: SupplementLine.data([UUID(), UUID()])),
            .quantities(of: UUID(), payload: Data()),
            .attachment(
                of: UUID(), identifier: UUID(), name: "a.pdf", contentType: "com.adobe.pdf", size: 0, payload: Data([1])
            ),
            .piece(bytes: Data(repeating: 7, count: 1_000)), .end(lines: 9),
        ]
    }

    @Test func everyKindIsReadBack() throws {
        for line in lines {
            let bytes = try SupplementText.encode(line)
            #expect(bytes.last == UInt8(ascii: "\n") && bytes.count(where: { $0 == UInt8(ascii: "\n") }) == 1)
            #expect(SupplementText.decode(bytes.dropLast()) == line)
            #expect(try JSONSerialization.jsonObject(with: Data(bytes)) is [String: Any])
        }
    }

    @Test func everyChangedByteIsDetected() throws {
        let bytes = Array(try SupplementText.encode(lines[1]).dropLast())
        for place in bytes.indices {
            for bit in 0..<8 {
                var changed = bytes
                changed[place] ^= 1 << UInt8(bit)
                #expect(SupplementText.decode(changed[...]) == nil, "byte \(place), bit \(bit)")
            }
            #expect(SupplementText.decode(bytes[..<place]) == nil)
        }
    }

    @Test func uuidsAreReadBack() {
        let uuids = (0..<5).map { _ in UUID() }
        #expect(SupplementLine.uuids(SupplementLine.data(uuids)) == uuids)
        #expect(SupplementLine.uuids(Data()) == [])
        #expect(SupplementLine.uuids(SupplementLine.data(uuids).dropLast()) == nil)
        // A slice that does not start at 0.
        #expect(SupplementLine.uuids(SupplementLine.data(uuids).dropFirst(16)) == Array(uuids[1...]))
    }
}
