import Foundation
import HealthModel
import HealthStorage
import HealthTesting

/// A call of a random program. Its arguments are from small ranges, so that calls affect each other often.
enum ContractOperation {
    case take(Int)
    case putPage(StoredPage), removePage(PageKey)
    case putObject(StoredObject), removeObject(Int64)
    case addLink(StoredLink), removeLinks(Int64), replaceMember(Int64, Int64)
    case putIdentity(UUID, StoredIdentity), removeIdentity(UUID)
    case putSync(StoredSync), removeSync(StoredSync.Key)
    case putTombstone(StoredTombstone)
    case internSource(SourceRecord), internRevision(SourceRevisionRecord), internDevice(DeviceRecord)
    case internUnit(String), internType(String, TypeKind)
    case setValue([UInt8]?, String, String)

    /// The result of a call: a number, nothing, or the kind of its error.
    enum Outcome: Equatable {
        case done
        case number(Int64)
        case failed(StorageError.Kind)
    }

    func run(in transaction: any StorageTransaction) throws -> Outcome {
        do {
            switch self {
            case .take(let count): return .number(try transaction.allocateSequences(count))
            case .putPage(let page): try transaction.putPage(page)
            case .removePage(let key): try transaction.removePage(key)
            case .putObject(let object): try transaction.putObject(object)
            case .removeObject(let sequence): try transaction.removeObject(sequence: sequence)
            case .addLink(let link): try transaction.addLink(link)
            case .removeLinks(let member): try transaction.removeLinks(ofMember: member)
            case .replaceMember(let member, let other): try transaction.replaceMember(member, with: other)
            case .putIdentity(let uuid, let identity): try transaction.putIdentity(uuid, identity)
            case .removeIdentity(let uuid): try transaction.removeIdentity(uuid)
            case .putSync(let sync): try transaction.putSync(sync)
            case .removeSync(let key): try transaction.removeSync(key)
            case .putTombstone(let tombstone): try transaction.putTombstone(tombstone)
            case .internSource(let source): return .number(Int64(try transaction.intern(source)))
            case .internRevision(let revision): return .number(Int64(try transaction.intern(revision)))
            case .internDevice(let device): return .number(Int64(try transaction.intern(device)))
            case .internUnit(let unit): return .number(Int64(try transaction.intern(unit: unit)))
            case .internType(let identifier, let kind):
                return .number(Int64(try transaction.intern(typeIdentifier: identifier, kind: kind).rawValue))
            case .setValue(let value, let namespace, let key):
                try transaction.setValue(value, namespace: namespace, key: key)
            }
            return .done
        } catch let error as StorageError where error.kind == .duplicate {
            return .failed(.duplicate)
        }
    }
}

extension ContractOperation {
    private static let pageTypes = [ContractRows.paged, ContractRows.otherPaged, ContractRows.lastPaged]
    private static let objectTypes = [ContractRows.object, ContractRows.otherObject]

    static func random(_ random: inout SplitMix64) -> ContractOperation {
        switch Int.random(in: 0..<24, using: &random) {
        case 0: return .take(Int.random(in: 0...5, using: &random))
        case 1...5: return .putPage(page(&random))
        case 6, 7: return .removePage(page(&random).key)
        case 8...10:
            let start = Double(Int.random(in: 0...12, using: &random))
            return .putObject(
                ContractRows.object(
                    sequence(&random), random.pick(objectTypes), start: start,
                    end: start + Double(Int.random(in: 0...6, using: &random)),
                    uuid: random.oneIn(2) ? uuid(&random) : nil, revision: UInt32.random(in: 0...3, using: &random),
                    payload: random.bytes(Int.random(in: 0...30, using: &random))))
        case 11: return .removeObject(sequence(&random))
        case 12:
            return .addLink(
                ContractRows.link(
                    sequence(&random), sequence(&random), ownerType: random.pick(objectTypes),
                    memberType: random.pick(pageTypes)))
        case 13: return .removeLinks(sequence(&random))
        case 14: return .replaceMember(sequence(&random), sequence(&random))
        case 15:
            return .putIdentity(
                uuid(&random), StoredIdentity(type: random.pick(pageTypes), sequence: sequence(&random)))
        case 16: return .removeIdentity(uuid(&random))
        case 17:
            return .putSync(
                StoredSync(
                    key: syncKey(&random), version: Double.random(in: 0...3, using: &random),
                    sequence: sequence(&random)))
        case 18: return .removeSync(syncKey(&random))
        case 19:
            return .putTombstone(
                StoredTombstone(
                    sequence: Int64.random(in: 1...60, using: &random), type: random.pick(pageTypes),
                    uuid: uuid(&random), syncIdentifier: random.oneIn(2) ? nil : text(&random),
                    syncVersion: random.oneIn(2) ? nil : 2))
        case 20: return .internRevision(revision(&random))
        case 21: return .internDevice(device(&random))
        case 22:
            return random.oneIn(2)
                ? .internUnit(text(&random)) : .internType("type \(text(&random))", .category)
        default:
            return .setValue(
                random.oneIn(4) ? nil : random.bytes(Int.random(in: 0...4, using: &random)),
                random.pick(["a", "b"]), text(&random))
        }
    }

    static func sequence(_ random: inout SplitMix64) -> Int64 {
        Int64.random(in: 1...15, using: &random)
    }

    static func uuid(_ random: inout SplitMix64) -> UUID {
        ContractRows.uuid(UInt8.random(in: 0...15, using: &random))
    }

    static func syncKey(_ random: inout SplitMix64) -> StoredSync.Key {
        StoredSync.Key(
            source: random.pick(["s", "t"]), type: random.pick(pageTypes), identifier: random.pick(["i", "j"]))
    }

    private static func text(_ random: inout SplitMix64) -> String {
        random.pick(["", "k", "l", "m 🍎", "\u{a0}"])
    }

    private static func page(_ random: inout SplitMix64) -> StoredPage {
        let start = Double(Int.random(in: 0...9, using: &random)) / 2
        let sequence = Int64.random(in: 1...3, using: &random)
        let last = start + Double(Int.random(in: 0...6, using: &random))
        return ContractRows.page(
            random.pick(pageTypes), start: start, sequence: sequence, lastStart: last,
            end: last + Double(random.oneIn(20) ? 500 : Int.random(in: 0...3, using: &random)),
            minimum: sequence - Int64.random(in: 0...2, using: &random),
            maximum: sequence + Int64.random(in: 0...9, using: &random),
            count: Int.random(in: 1...1_000, using: &random),
            bytes: random.oneIn(10) ? 9_000 : Int.random(in: 0...50, using: &random))
    }

    private static func revision(_ random: inout SplitMix64) -> SourceRevisionRecord {
        SourceRevisionRecord(
            source: SourceRecord(bundleIdentifier: text(&random), name: text(&random)),
            version: random.oneIn(3) ? nil : text(&random), productType: random.oneIn(3) ? nil : text(&random),
            operatingSystemVersion: OperatingSystemVersionRecord(minor: random.pick([0, 1])))
    }

    private static func device(_ random: inout SplitMix64) -> DeviceRecord {
        DeviceRecord(
            name: random.oneIn(3) ? nil : text(&random), firmwareVersion: random.oneIn(3) ? nil : text(&random),
            localIdentifier: random.oneIn(3) ? nil : text(&random))
    }
}
