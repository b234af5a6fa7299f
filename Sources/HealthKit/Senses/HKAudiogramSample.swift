public import Foundation
import HealthModel

/// A hearing test: how faint a tone each ear heard, frequency by frequency.
// Unchecked: every stored property is a constant of a Sendable type; the compiler checks only final classes.
public class HKAudiogramSample: HKSample, DocumentBacked, @unchecked Sendable {
    /// How many points an audiogram has at most.
    static let greatestPointCount = 30

    final let document: DocumentBody

    required init(identity: UUID, context: ObjectContext, start: Double, end: Double, document: DocumentBody) {
        self.document = document
        super.init(identity: identity, context: context, start: start, end: end)
    }

    /// A hearing test. No point, more than 30, or metadata that is not allowed, ends the process.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        metadata: [String: Any]?
    ) {
        self.init(
            sensitivityPoints: sensitivityPoints, start: startDate, end: endDate, device: nil,
            metadata: metadata)
    }

    /// A hearing test with the device that measured.
    ///
    /// No point, more than 30, or metadata that is not allowed, ends the process.
    public convenience init(
        sensitivityPoints: [HKAudiogramSensitivityPoint], start startDate: Date, end endDate: Date,
        device: HKDevice?, metadata: [String: Any]?
    ) {
        let document = ProgrammerError.checked { () throws(ObjectRefusal) in
            try Self.document(sensitivityPoints)
        }
        self.init(
            new: .audiogramSampleType(), start: startDate, end: endDate, device: device,
            metadata: metadata, document: document)
    }

    /// The document of an audiogram.
    ///
    /// - Throws: for no point and for too many.
    static func document(_ points: [HKAudiogramSensitivityPoint]) throws(ObjectRefusal) -> DocumentBody {
        guard !points.isEmpty else {
            throw ObjectRefusal(reason: "An HKAudiogramSample requires a sensitivity point")
        }
        guard points.count <= greatestPointCount else {
            throw ObjectRefusal(
                reason: "An HKAudiogramSample has at most \(greatestPointCount) sensitivity points, not \(points.count)")
        }
        return DocumentBody(fields: [AudiogramDocument.points: .list(points.map(\.fieldValue))])
    }

    /// What was found at each frequency, in the order given.
    public var sensitivityPoints: [HKAudiogramSensitivityPoint] {
        guard case .list(let points) = document[AudiogramDocument.points] else { return [] }
        return points.compactMap { HKAudiogramSensitivityPoint($0) }
    }

    /// The audiogram in an archive; `nil` for a damaged one.
    public required init?(coder: NSCoder) {
        guard let item = ObjectArchive.document(from: coder), item.context.type is HKAudiogramSampleType,
            case .list(let points) = item.document[AudiogramDocument.points], !points.isEmpty,
            points.allSatisfy({ HKAudiogramSensitivityPoint($0) != nil })
        else { return nil }
        document = item.document
        super.init(identity: item.identity, context: item.context, start: item.start, end: item.end)
    }
}
