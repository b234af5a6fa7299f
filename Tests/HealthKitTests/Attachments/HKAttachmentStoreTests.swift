import Foundation
import HealthEngine
import HealthModel
import HealthTesting
import Synchronization
import Testing
import UniformTypeIdentifiers

@testable import HealthKit

struct HKAttachmentStoreTests {
    private let health = TestHealthStore()
    private var attachments: HKAttachmentStore { HKAttachmentStore(healthStore: health.store) }

    private func saved() async throws -> HKQuantitySample {
        let sample = HKQuantitySample(
            type: HKQuantityType(.bodyMass), quantity: HKQuantity(unit: HKUnit(from: "kg"), doubleValue: 70),
            start: TestClock.start, end: TestClock.start)
        try await health.store.save(sample)
        return sample
    }

    /// A file of a given size; byte i is i mod 251.
    private func file(_ size: Int) throws -> URL {
        let url = FileManager.default.temporaryDirectory.appendingPathComponent("attachment-\(UUID().uuidString)")
        try content(size).write(to: url)
        return url
    }

    private func content(_ size: Int) -> Data { Data((0..<size).map { UInt8($0 % 251) }) }

    private func code(_ work: () async throws -> Void) async -> HKError.Code? {
        do {
            try await work()
            return nil
        } catch {
            return (error as? HKError)?.code
        }
    }

    @Test(arguments: [0, 1, AttachmentRecord.pieceSize, AttachmentRecord.pieceSize + 1, 3 * AttachmentRecord.pieceSize])
    func bytesComeBack(size: Int) async throws {
        let url = try file(size)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        let added = try await attachments.addAttachment(
            to: sample, name: "scan.pdf", contentType: .pdf, url: url, metadata: ["page": 2])
        let found = try #require(try await attachments.attachments(for: sample).first)
        #expect(found == added)
        #expect(found.name == "scan.pdf")
        #expect(found.contentType == .pdf)
        #expect(found.size == size)
        #expect(found.creationDate == TestClock.start)
        #expect(found.metadata?["page"] as? Int == 2)

        let reader = attachments.dataReader(for: found)
        #expect(try await reader.data == content(size))
        #expect(reader.progress.completedUnitCount == Int64(size))
        var bytes = Data()
        for try await byte in attachments.dataReader(for: found).bytes { bytes.append(byte) }
        #expect(bytes == content(size))

        let whole: Data? = await withCheckedContinuation { continuation in
            _ = attachments.getData(for: found) { data, _ in continuation.resume(returning: data) }
        }
        #expect(whole == content(size))
        let streamed = Mutex(Data())
        await withCheckedContinuation { continuation in
            _ = attachments.streamData(for: found) { data, _, isDone in
                streamed.withLock { $0.append(data ?? Data()) }
                if isDone { continuation.resume() }
            }
        }
        #expect(streamed.withLock { $0 } == content(size))
    }

    @Test func attachmentsGoWithTheirObject() async throws {
        let url = try file(10)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        let store = attachments
        let one = try await store.addAttachment(to: sample, name: "a", contentType: .png, url: url)
        let other = try await store.addAttachment(to: sample, name: "b", contentType: .png, url: url)
        try await store.removeAttachment(one, from: sample)
        #expect(try await store.attachments(for: sample) == [other])
        #expect(await code { try await store.removeAttachment(one, from: sample) } == .errorInvalidArgument)
        try await health.store.delete(sample)
        #expect(await code { _ = try await store.attachments(for: sample) } == .errorInvalidArgument)
        #expect(await code { _ = try await store.dataReader(for: other).data } == .errorInvalidArgument)
    }

    @Test func attachingRequiresPermissionToWrite() async throws {
        let url = try file(10)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        health.deny(share: [HKQuantityType(.bodyMass)])
        let store = attachments
        let refused = await code {
            _ = try await store.addAttachment(to: sample, name: "a", contentType: .png, url: url)
        }
        #expect(refused == .errorAuthorizationDenied)
    }

    @Test func unsavedObjectsAndMissingFilesAreRefused() async throws {
        let url = try file(10)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        let store = attachments
        let unsaved = HKCategorySample(
            type: HKCategoryType(.mindfulSession), value: 0, start: TestClock.start, end: TestClock.start)
        let missing = URL(fileURLWithPath: "/nowhere/at/all")
        #expect(
            await code { _ = try await store.addAttachment(to: unsaved, name: "a", contentType: .png, url: url) }
                == .errorInvalidArgument)
        #expect(
            await code { _ = try await store.addAttachment(to: sample, name: "a", contentType: .png, url: missing) }
                == .errorInvalidArgument)
        #expect(
            await code {
                _ = try await store.addAttachment(
                    to: sample, name: "a", contentType: .png, url: FileManager.default.temporaryDirectory)
            } == .errorInvalidArgument)
        #expect(
            await code {
                _ = try await store.addAttachment(
                    to: sample, name: "a", contentType: .png, url: url, metadata: ["x": [1]])
            } == .errorInvalidArgument)
    }

    @Test(arguments: [
        ("", true, 1, HKError.Code.errorInvalidArgument, "An attachment must have a name."),
        ("a", false, 1, .errorInvalidArgument, "The URL of the attachment is not a readable file."),
        (
            "a", true, HKAttachmentStore.maximumSize + 1, .errorDataSizeExceeded,
            "The attachment exceeds the maximum size of 10485760 bytes."
        ),
    ])
    func refusals(_ name: String, _ isFile: Bool, _ size: Int, _ code: HKError.Code, _ text: String) {
        do {
            try AttachmentFile.validate(name: name, isFile: isFile, size: size)
            Issue.record("accepted")
        } catch {
            #expect((error as? HKError)?.code == code)
            #expect(error.localizedDescription == text)
        }
    }

    @Test func aCancelledReadingSaysSo() async throws {
        let url = try file(10)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        let added = try await attachments.addAttachment(to: sample, name: "a", contentType: .png, url: url)
        let reader = attachments.dataReader(for: added)
        reader.progress.cancel()
        #expect(await code { _ = try await reader.data } == .errorUserCanceled)
    }

    @Test func anAttachmentCanBeArchived() async throws {
        let url = try file(10)
        defer { try? FileManager.default.removeItem(at: url) }
        let sample = try await saved()
        let added = try await attachments.addAttachment(to: sample, name: "a", contentType: .png, url: url)
        let data = try NSKeyedArchiver.archivedData(withRootObject: added, requiringSecureCoding: true)
        let back = try #require(try NSKeyedUnarchiver.unarchivedObject(ofClass: HKAttachment.self, from: data))
        #expect(back == added)
        #expect(try await attachments.dataReader(for: back).data == content(10))
    }
}
