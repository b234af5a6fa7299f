import Foundation
import HealthModel
import Testing

@Suite struct UUIDWriterTests {
    @Test func isTheStringOfTheUUID() {
        for _ in 0..<200 {
            let uuid = UUID()
            let text = String(unsafeUninitializedCapacity: UUIDWriter.length) { buffer in
                UUIDWriter.write(uuid, to: buffer.baseAddress!)
                return UUIDWriter.length
            }
            #expect(text == uuid.uuidString)
        }
    }
}
