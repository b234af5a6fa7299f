import HealthModel

extension SampleSelection {
    /// Lets go of rows and objects that are not among the results: those a limit cut off.
    mutating func releaseUnreferenced() {
        var rows = [[Int]](repeating: [], count: batches.count)
        var places: [Int] = []
        for reference in order where reference.batch < 0 { places.append(Int(reference.row)) }
        for reference in order where reference.batch >= 0 {
            rows[Int(reference.batch)].append(Int(reference.row))
        }
        let moved = batches.indices.map { batch -> [Int32]? in
            guard rows[batch].count < batches[batch].count else { return nil }
            let kept = rows[batch].sorted()
            var smaller = SampleColumns(type: batches[batch].type)
            smaller.append(kept, of: batches[batch])
            var targets = [Int32](repeating: -1, count: batches[batch].count)
            for (target, row) in kept.enumerated() { targets[row] = Int32(target) }
            batches[batch] = smaller
            return targets
        }
        let objectTargets = releaseObjects(except: places.sorted())
        for index in order.indices {
            let (batch, row) = (Int(order[index].batch), Int(order[index].row))
            if batch < 0 {
                order[index].row = objectTargets[row]
            } else if let targets = moved[batch] {
                order[index].row = targets[row]
            }
        }
    }

    /// Where each object went.
    private mutating func releaseObjects(except kept: [Int]) -> [Int32] {
        var targets = [Int32](repeating: -1, count: objects.count)
        for (target, place) in kept.enumerated() { targets[place] = Int32(target) }
        objects = kept.map { objects[$0] }
        return targets
    }
}
