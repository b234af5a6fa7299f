import HealthModel
import HealthStorage

extension RowTest {
    /// Whether an object passes. Its payload is decoded only if a test looks into it.
    func matches(_ object: inout ObjectRow) throws -> Bool {
        switch self {
        case .always(let answer):
            return answer
        case .every(let parts):
            for part in parts where try !part.matches(&object) { return false }
            return true
        case .any(let parts):
            for part in parts where try part.matches(&object) { return true }
            return false
        case .not(let part):
            return try !part.matches(&object)
        case .start(let comparison, let bound):
            return comparison.holds(object.stored.start, bound)
        case .end(let comparison, let bound):
            return comparison.holds(object.stored.end, bound)
        case .duration(let comparison, let bound):
            return comparison.holds(try object.duration(), bound)
        case .revision(let set):
            return set.contains(object.stored.revision)
        case .device(let set):
            return set.contains(object.stored.device)
        case .sequence(let set):
            return set.contains(object.stored.sequence, hasGivenIdentity: object.stored.uuid != nil)
        case .metadata(let test):
            return test.matches(try object.contents().metadata)
        case .object(.statistic(let type, let figure, let comparison, let bound)):
            return ObjectTest.compare(try object.figure(figure, of: type), comparison, bound)
        case .object(let test):
            return test.matches(try object.contents().body)
        case .quantity, .category:
            return false
        }
    }
}
