import Foundation
import HealthInsights
import HealthJSON
package import HealthSQL

extension QuestionContext {
    /// The rows of the SQL table `nights`, of all nights; none if a statement doesn't name it.
    package func nights(for sql: String, _ setting: QuestionSetting) async throws -> [[SQLValue]] {
        guard sql.lowercased().contains("nights") else { return [] }
        var parameters = QueryParameters(["start": "0001-01-01"])
        let instants = InstantWriter(timeZone: setting.timeZone)
        return try await SleepQuestion(&parameters, setting).answer(self).nights.map { night in
            let main = night.main
            let bounds = [main?.start, main?.end].map { date in
                SQLValue(date.map { instants.text($0.timeIntervalSinceReferenceDate) })
            }
            let stages = [SleepStage.awake, .rem, .core, .deep].map { main?.duration(of: $0) }
            return [.text(AnswerDay(night.day).text)] + bounds
                + ([main?.timeAsleep, main?.timeInBed] + stages + [night.napTime]).map { SQLValue($0) }
        }
    }
}
