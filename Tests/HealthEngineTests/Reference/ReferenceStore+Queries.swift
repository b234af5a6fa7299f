import HealthEngine
import HealthModel

extension ReferenceStore {
    /// Items that any part of the request selects, in the order asked for.
    func samples(_ request: SampleRequest, visible: (ReferenceItem) -> Bool = { _ in true }) -> [ReferenceItem] {
        var found = items.filter { item in
            visible(item) && request.parts.contains { $0.type == item.type && matches(item, $0.filter) }
        }
        found.sort { $0.order < $1.order }
        // Bubbling up keeps equal items as they are.
        if found.count > 1 {
            for _ in found.indices {
                for index in 0..<found.count - 1 where precedes(found[index + 1], found[index], request.sort) {
                    found.swapAt(index, index + 1)
                }
            }
        }
        return request.limit > 0 ? Array(found.prefix(request.limit)) : found
    }

    private func precedes(_ left: ReferenceItem, _ right: ReferenceItem, _ sort: [SampleSort]) -> Bool {
        for key in sort {
            let (one, other) = (value(of: key.key, left), value(of: key.key, right))
            if one != other { return key.ascending ? one < other : one > other }
        }
        return false
    }

    private func value(of key: SampleSort.Key, _ item: ReferenceItem) -> Double {
        switch key {
        case .start: item.start
        case .end: item.end
        case .sequence: Double(item.order)
        case .duration: item.duration
        case .value: item.isObject ? -.infinity : item.value
        case .workoutTotal(let total):
            item.workout.flatMap { total.value(of: $0) }.flatMap {
                ReferenceUnits.convert($0.value, from: $0.unit, to: "m")
                    ?? ReferenceUnits.convert($0.value, from: $0.unit, to: "kcal")
                    ?? ReferenceUnits.convert($0.value, from: $0.unit, to: "count")
            } ?? -.infinity
        }
    }
}
