import Foundation
import HealthModel
import HealthStorage

/// One call of a random program, from a small world in which calls meet each other often.
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

    /// What the call gives back: a number, nothing, or the kind of its error.
    enum Outcome: Equatable {
        case done
        case number(Int64)
        case failed(StorageError.Kind)
    }

    func run(in transaction: any StorageTransaction) throws -> Outcome {
        do {
            switch self {
            case .take(let count): return .number(try transaction.takeSequences(count))
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
                return .number(
                    Int64(try transaction.intern(typeIdentifier: identifier, kind: kind).rawValue))
            case .setValue(let value, let namespace, let key):
                try transaction.setValue(value, namespace: namespace, key: key)
            }
            return .done
        } catch let error as StorageError where error.kind == .duplicate {
            return .failed(.duplicate)
        }
    }
}
