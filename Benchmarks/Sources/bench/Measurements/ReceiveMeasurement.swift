import Foundation
import HealthKit
import HealthSync
import Synchronization

/// Receiving ten thousand samples from a server that answers at once, compared with saving the same samples, with their
/// sync identifiers, a thousand at a time. Both write into an empty store; the samples to save are made beforehand.
enum ReceiveMeasurement {
    private static let count = 10_000
    private static let pageSize = 1_000
    private static let pairs = 10

    static func run(_ setting: Setting) async throws -> Measurement {
        let server = PageServer()
        let type = HKQuantityType(.stepCount)
        let samples = (0..<count).map { index in
            let start = PageServer.start + Double(index) * 60
            return HKQuantitySample(
                type: type, quantity: HKQuantity(unit: .count(), doubleValue: Double(index % 100)), start: start,
                end: start + 30,
                metadata: [
                    HKMetadataKeySyncIdentifier: "copy.\(UUID().uuidString)", HKMetadataKeySyncVersion: index + 1,
                    "org.example.origin": "bench",
                ])
        }
        let stores = Mutex(0)
        func store() throws -> HKHealthStore {
            let number = stores.withLock { number in
                number += 1
                return number
            }
            let file = try setting.freshStore("receive-\(number).store")
            return HKHealthStore(configuration: .init(location: .file(file), authorization: .allowAll))
        }
        guard let url = URL(string: "http://pages") else { throw BenchError("The address isn’t one") }
        let comparison = try await Comparison.run(pairs: setting.pairs(pairs)) {
            let sync = HealthStoreSync(
                store: try store(), server: SyncServer(url: url), progress: NoProgress(),
                options: .init(pageSize: pageSize), transport: server)
            guard try await sync.receive().samples == count else { throw BenchError("Not everything was received") }
        } other: {
            let store = try store()
            for first in stride(from: 0, to: count, by: pageSize) {
                try await store.save(Array(samples[first..<first + pageSize]))
            }
        }
        return Measurement(lines: [
            Line("receive 10,000 samples : save them, a second", rate: comparison, of: count)
        ])
    }

    /// A progress that is kept nowhere.
    private struct NoProgress: SyncProgressStore {
        func load() throws -> SyncProgress? { nil }
        func save(_ progress: SyncProgress) throws {}
    }

    /// A server with prepared answers.
    private struct PageServer: SyncTransport {
        static let start = Date(timeIntervalSinceReferenceDate: 788_918_400)
        private let pages: [Data]

        init() {
            pages = stride(from: 0, to: count, by: pageSize).map { first in
                let lines = (first..<first + pageSize).map { index in
                    let start = Self.start + Double(index) * 60
                    return
                        #"{"uuid":"\#(UUID().uuidString)","type":"HKQuantityTypeIdentifierStepCount","startDate":"\#(start.ISO8601Format())","#
                        + #""endDate":"\#((start + 30).ISO8601Format())","quantity":\#(index % 100),"unit":"count","source":"Tracker","#
                        + #""bundleIdentifier":"org.example.tracker","sequence":\#(index + 1)}"#
                }
                let next = first / pageSize + 1
                return Data(
                    #"{"added":[\#(lines.joined(separator: ","))],"deleted":[],"anchor":"\#(next)","hasMore":\#(next < count / pageSize)}"#
                        .utf8)
            }
        }

        func post(_ body: Data, to url: URL, token: String?) async throws -> SyncResponse { SyncResponse(status: 404) }

        func get(_ url: URL, token: String?) async throws -> SyncResponse {
            guard url.lastPathComponent == "changes" else {
                return SyncResponse(
                    status: 200, body: Data(#"{"types":[{"type":"HKQuantityTypeIdentifierStepCount"}]}"#.utf8))
            }
            let items = URLComponents(url: url, resolvingAgainstBaseURL: false)?.queryItems ?? []
            let page = items.first { $0.name == "anchor" }?.value.flatMap { Int($0) } ?? 0
            return SyncResponse(status: 200, body: pages[page])
        }
    }
}
