import Foundation
import HealthTesting
import Testing

@testable import HealthSync

@Suite("Docs/Sync.md and Docs/Format/Sync.md")
struct SyncDocumentTests {
    private static let documents = URL(fileURLWithPath: #filePath)
        .deletingLastPathComponent().deletingLastPathComponent().deletingLastPathComponent()
        .appendingPathComponent("Docs")

    private static func block(
        _ language: String, of page: String = "Format/Sync.md", containing part: String
    ) throws -> String {
        let text = try String(contentsOf: documents.appendingPathComponent(page), encoding: .utf8)
        let blocks = text.components(separatedBy: "```\(language)\n").dropFirst().map {
            $0.components(separatedBy: "```")[0]
        }
        return try #require(blocks.first { $0.contains(part) })
    }

    /// Declarations for the parts of SwiftUI that the app needs, which Linux does not have.
    private static let standIns = """
        @_exported import Foundation
        @MainActor public protocol App { associatedtype Body: Scene; @SceneBuilder var body: Body { get }; init() }
        extension App { public static func main() {} }
        @MainActor public protocol Scene {}
        @resultBuilder public enum SceneBuilder { public static func buildBlock<Content: Scene>(_ content: Content) -> Content { content } }
        @MainActor public protocol View {}
        public struct WindowGroup<Content: View>: Scene { public init(content: () -> Content) {} }
        public struct Button: View { public init(_ title: String, action: @escaping @MainActor () -> Void) {} }
        public final class UIApplication: NSObject { public struct LaunchOptionsKey: Hashable, Sendable {} }
        @MainActor public protocol UIApplicationDelegate: NSObject {
            func application(
                _ application: UIApplication, didFinishLaunchingWithOptions options: [UIApplication.LaunchOptionsKey: Any]?
            ) -> Bool
        }
        @MainActor @propertyWrapper public struct UIApplicationDelegateAdaptor<Delegate: UIApplicationDelegate> {
            public init(_ type: Delegate.Type) {}
            public var wrappedValue: Delegate { fatalError() }
        }
        """

    @Test("The iPhone app compiles, in about thirty lines")
    func app() throws {
        let app = try Self.block("swift", of: "Sync.md", containing: "@main")
        #expect(app.split(separator: "\n").count <= 32)
        let folder = FileManager.default.temporaryDirectory.appendingPathComponent("sync-app-\(UUID().uuidString)")
        try FileManager.default.createDirectory(at: folder, withIntermediateDirectories: true)
        defer { try? FileManager.default.removeItem(at: folder) }
        try Data(Self.standIns.utf8).write(to: folder.appendingPathComponent("SwiftUI.swift"))
        try Data(app.utf8).write(to: folder.appendingPathComponent("PhoneApp.swift"))
        for arguments in [
            ["-emit-module", "-module-name", "SwiftUI", "SwiftUI.swift"],
            ["-typecheck", "-module-name", "PhoneApp", "PhoneApp.swift"],
        ] {
            let run = try CompilerRun(arguments, in: folder)
            #expect(run.status == 0, "\(run.messages)")
        }
    }

    @Test("The batch and the answer are what the library reads")
    func messages() throws {
        let batch = try SyncCoding.decoder().decode(
            SyncBatch.self, from: Data(try Self.block("json", containing: "deletedObjects").utf8))
        #expect(batch.sequence == 18 && batch.samples.first?.quantity == 61)
        #expect(batch.samples.first?.metadata == ["HKMetadataKeyHeartRateMotionContext": .integer(1)])
        #expect(batch.activitySummaries?.first?.activeEnergyBurned == SyncQuantity(412, unit: "kcal"))
        let answer = try SyncCoding.decoder().decode(
            SyncAcknowledgement.self, from: Data(try Self.block("json", containing: "rejected").utf8))
        #expect(answer.sequence == 18 && answer.deleted == 1)
    }

    @Test("The seed is what the library loads")
    func seed() async throws {
        let file = FileManager.default.temporaryDirectory.appendingPathComponent("\(UUID().uuidString).seed")
        try Data(try Self.block("json", containing: "openhealthkit.seed").utf8).write(to: file)
        defer { try? FileManager.default.removeItem(at: file) }
        let health = TestHealthStore()
        let receipt = try await HealthSeeding.load(file, into: health.store)
        #expect(receipt.samples == 1 && receipt.leftOut == [:] && receipt.unreadable == 0)
    }
}
