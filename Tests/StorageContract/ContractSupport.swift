import Dispatch
import Foundation
import HealthModel
import HealthStorage
import HealthTesting
import Synchronization

/// Rows for the checks.
enum ContractRows {
    static let paged = TypeCode(rawValue: 1)
    static let otherPaged = TypeCode(rawValue: 2)
    static let lastPaged = TypeCode(rawValue: .max)
    static let object = TypeCode(rawValue: 80)
    static let otherObject = TypeCode(rawValue: 90)

    /// A page whose bytes are determined by its key, so that confused pages are detected.
    static func page(
        _ type: TypeCode = paged, start: Double, sequence: Int64, lastStart: Double? = nil, end: Double? = nil,
        minimum: Int64? = nil, maximum: Int64? = nil, count: Int = 1, bytes: Int = 40
    ) -> StoredPage {
        var random = SplitMix64(seed: UInt64(bitPattern: sequence) ^ start.bitPattern ^ UInt64(bytes))
        return StoredPage(
            key: PageKey(type: type, firstStart: start, firstSequence: sequence),
            bounds: PageBounds(
                count: count, lastStart: lastStart ?? start, maximumEnd: end ?? lastStart ?? start,
                minimumSequence: minimum ?? sequence, maximumSequence: maximum ?? sequence),
            header: random.bytes(16), body: random.bytes(bytes))
    }

    static func object(
        _ sequence: Int64, _ type: TypeCode = object, start: Double = 0, end: Double? = nil,
        uuid: UUID? = nil, revision: UInt32 = 0, device: UInt32 = 0, payload: [UInt8] = [1, 2, 3]
    ) -> StoredObject {
        StoredObject(
            sequence: sequence, uuid: uuid, type: type, start: start, end: end ?? start,
            revision: revision, device: device, payload: payload)
    }

    static func link(
        _ owner: Int64, _ member: Int64, ownerType: TypeCode = object, memberType: TypeCode = paged
    ) -> StoredLink {
        StoredLink(owner: owner, ownerType: ownerType, member: member, memberType: memberType)
    }

    static func uuid(_ number: UInt8) -> UUID {
        UUID(uuid: (number, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, number))
    }
}

/// A counter for several threads.
final class ContractCounter: Sendable {
    private let count = Mutex(0)

    func increment() {
        count.withLock { $0 += 1 }
    }

    var value: Int {
        count.withLock { $0 }
    }
}

/// The threads of a check, which are joined at its end and whose first error is kept.
final class ContractThreads: Sendable {
    private let group = DispatchGroup()
    private let failure = Mutex<(any Error)?>(nil)

    /// Runs `body` on a new thread.
    func start(_ body: @escaping @Sendable () throws -> Void) {
        group.enter()
        Thread.detachNewThread {
            do {
                try body()
            } catch {
                self.failure.withLock { $0 = $0 ?? error }
            }
            self.group.leave()
        }
    }

    /// Waits for all threads and throws the first error.
    func join() throws {
        group.wait()
        if let error = failure.withLock({ $0 }) { throw error }
    }
}
