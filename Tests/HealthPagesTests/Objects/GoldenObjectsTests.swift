import HealthModel
import Testing

@testable import HealthPages

/// Payloads written by format version 1, kept in Fixtures; see ``GoldenPagesTests``.
@Suite struct GoldenObjectsTests {
    @Test(arguments: Golden.objects.map(\.name))
    func objectsOfVersion1AreStillRead(_ name: String) throws {
        let object = try #require(Golden.objects.first { $0.name == name })
        let parts = try Golden.bytes(name)
        try #require(parts.count == 1)
        let read = try ObjectCoder.decode(parts[0])
        #expect(Identical.check(read.metadata, object.metadata))
        #expect(read.creation == object.creation)
        #expect(read.body == object.body)
    }
}
