import Foundation
import HealthModel

extension QueryReader {
    /// The object as the store holds it, for its inner series.
    ///
    /// - Throws: ``HKError/errorNoData`` where the application cannot find it: it was never saved, was
    ///   deleted, or may not be read.
    func stored<Sample: HKSample>(_ sample: Sample) throws -> Sample {
        let part = QueryPart(identifier: sample.sampleType.identifier, filter: .uuid([sample.uuid]))
        guard let found = try samples([part]).first as? Sample else {
            throw HKError.make(.errorNoData, "The object is not stored.")
        }
        return found
    }
}
