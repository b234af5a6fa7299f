import Testing

@testable import HealthPages

@Suite struct UUIDTextTests {
    private static let nearMisses = ["0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F", "0F1E2D3C+4B5A-6978-8796-A5B4C3D2E1F0"]

    @Test(arguments: RandomColumns.strings + nearMisses)
    func aPoolGivesBackTheSameBytes(_ text: String) throws {
        var pool = StringPoolWriter()
        #expect(pool.number("x") == 0)
        #expect(pool.number(text) == 1)
        #expect(pool.number("y") == 2)
        #expect(pool.number(text) == 1)
        var writer = ByteWriter()
        pool.write(to: &writer)
        for number in [1, 2, 0] as [UInt64] { writer.unsigned(number) }
        try ByteReader.lending(writer.bytes) { raw throws(PageError) in
            var reader = ByteReader(raw)
            let pool = try StringPoolReader(&reader)
            #expect(Array(try pool.string(&reader, "text").utf8) == Array(text.utf8))
            #expect(try pool.string(&reader, "text") == "y")
            #expect(try pool.string(&reader, "text") == "x")
            try reader.finish("pool")
        }
    }

    @Test func uuidsNeedSixteenBytes() {
        for text in ["0F1E2D3C-4B5A-6978-8796-A5B4C3D2E1F0", "0f1e2d3c-4b5a-6978-8796-a5b4c3d2e1f0"] {
            var pool = StringPoolWriter()
            _ = pool.number(text)
            var writer = ByteWriter()
            pool.write(to: &writer)
            #expect(writer.count == 1 + 1 + 16)
        }
    }
}
