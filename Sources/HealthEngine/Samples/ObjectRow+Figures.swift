import HealthModel
import HealthStorage

extension ObjectRow {
    /// A workout's figure of one quantity type: as stored with it, else worked out from the samples that
    /// belong to it, which come from one recording and are not merged. `nil` where there is neither.
    mutating func figure(_ figure: WorkoutStatistic, of type: String) throws -> QuantityRecord? {
        guard case .workout(let workout) = try contents().body else { return nil }
        if workout.statistics.contains(where: { $0.type == type }) {
            return figure.value(of: type, in: workout.statistics)
        }
        guard let description = reader.dictionaries.type(identifier: type),
            let unit = description.canonicalUnit
        else { return nil }
        let members = try reader.figureMembers(of: stored.sequence, type: description.code)
        guard let values = MemberFold.values(of: members.samples, type: description, series: members.series) else {
            return nil
        }
        let value =
            switch figure {
            case .sum: values.sum
            case .average: values.average
            case .minimum: values.minimum
            case .maximum: values.maximum
            }
        return value.map { QuantityRecord($0, unit: unit) }
    }
}
