import Foundation
import HealthModel
import HealthStorage

/// All rows of a `NaiveTransaction`.
struct NaiveState {
    var lastSequence: Int64 = 0
    var pages: [StoredPage] = []
    var objects: [StoredObject] = []
    var links: [StoredLink] = []
    var identities: [(uuid: UUID, identity: StoredIdentity)] = []
    var syncs: [StoredSync] = []
    var tombstones: [StoredTombstone] = []
    var dictionaries = StoreDictionaries()
    var settings: [(namespace: String, key: String, value: [UInt8])] = []
}
