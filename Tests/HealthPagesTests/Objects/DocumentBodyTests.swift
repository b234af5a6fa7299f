import Foundation
import HealthModel
import HealthPages
import Testing

@Suite("Documents as bytes")
struct DocumentBodyTests {
    private let document = DocumentBody(
        fields: [
            "flag": .bool(true), "off": .bool(false), "whole": .integer(-42), "number": .double(0.1), "text": .string("“ж”"),
            "date": .date(764_000_000.25), "id": .uuid(UUID(uuidString: "0A1B2C3D-4E5F-6071-8293-A4B5C6D7E8F9")!),
            "bytes": .data([0, 255, 7]), "size": .quantity(QuantityRecord(512, unit: "Hz")),
            "list": .list([.integer(1), .list([.string("a")]), .record(["x": .double(.infinity)])]),
            "record": .record(["y": .date(-1)]),
        ],
        series: [
            "voltage": (0..<15_360).map { Double($0 % 811 - 400) / 1_000 }, "empty": [], "odd": [.nan, -0.0, 1e300],
        ])

    private func encode(_ body: DocumentBody) -> [UInt8] {
        ObjectCoder.encode(metadata: .empty, creation: nil, body: .document(body))
    }

    @Test("Every kind of field and long series come back, bit for bit")
    func roundTrip() throws {
        let bytes = encode(document)
        guard case .document(let found) = try ObjectCoder.decode(bytes).body else {
            Issue.record("no document")
            return
        }
        #expect(found.fields == document.fields)
        #expect(Set(found.series.keys) == Set(document.series.keys))
        for (name, numbers) in document.series {
            #expect(found.series[name]?.map(\.bitPattern) == numbers.map(\.bitPattern))
        }
        // Thousandths of a span of 811 steps take ten bits each.
        #expect(bytes.count < 15_360 * 2 + 500)
    }

    @Test("Equal documents have equal bytes")
    func deterministic() {
        let again = DocumentBody(
            fields: Dictionary(uniqueKeysWithValues: document.fields.shuffled()), series: document.series)
        #expect(encode(document) == encode(again))
    }

    @Test("Cut anywhere, the bytes are refused")
    func truncated() {
        let bytes = encode(DocumentBody(fields: document.fields, series: ["odd": [1, 2, 3.5]]))
        for length in bytes.indices {
            #expect(throws: PageError.self) { try ObjectCoder.decode(Array(bytes[..<length])) }
        }
    }
}
