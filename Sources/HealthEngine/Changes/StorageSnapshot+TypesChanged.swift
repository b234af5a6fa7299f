import HealthModel
import HealthStorage

extension StorageSnapshot {
    /// Types that gained or lost a sample or object after this sequence.
    func typesChanged(after sequence: Int64) throws -> Set<TypeCode> {
        guard try lastSequence() > sequence else { return [] }
        var changed: Set<TypeCode> = []
        for type in try typesInUse() {
            try visitPages(of: type, in: .sequencesAfter(sequence), bodies: false) { _ in
                changed.insert(type)
                return false
            }
            if changed.contains(type) { continue }
            try visitObjects(of: type, in: .sequencesAfter(sequence)) { _ in
                changed.insert(type)
                return false
            }
        }
        try visitTombstones(after: sequence, types: nil) { tombstone in
            changed.insert(tombstone.type)
            return true
        }
        return changed
    }
}
