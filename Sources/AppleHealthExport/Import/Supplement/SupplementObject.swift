import Foundation
import HealthModel
import HealthPages

/// Makes an object of its line in a supplement: the twin of ``SupplementObjects``.
enum SupplementObject {
    /// `nil` for a line that makes no sense: an unknown number, a payload that is none, members that are no
    /// samples, or dates that nothing can have.
    static func read(
        _ line: SupplementLine, type: TypeCode, _ nouns: SupplementNouns, _ code: (String) -> TypeCode?
    ) -> ObjectRecord? {
        guard case .object(_, _, let uuid, let start, let end, let source, let device, let payload, let pages) = line,
            start.isFinite, end.isFinite, start <= end, source == nil || nouns.revision(source ?? 0) != nil,
            device == nil || nouns.device(device ?? 0) != nil,
            let content = try? ObjectCoder.decode(Array(payload))
        else { return nil }
        var object = ObjectRecord(
            uuid: uuid, type: type, start: start, end: end, revision: source.flatMap { nouns.revision($0) },
            device: device.flatMap { nouns.device($0) }, metadata: content.metadata, creation: content.creation,
            body: content.body)
        for page in pages {
            guard let type = code(page.type), TypeCatalog.description(for: type)?.kind.isPaged ?? true,
                let samples = try? nouns.samples(page, type: type)
            else { return nil }
            object.members += samples
        }
        return object
    }

    /// Whether a body is one that objects of a type have.
    static func isSound(_ object: ObjectRecord, _ kind: TypeKind) -> Bool {
        switch (object.body, kind) {
        case (.workout, .workout), (.none, .correlation), (.activitySummary, .activitySummary), (.document, .document),
            (.document, .series), (.archived, _):
            !kind.isPaged && kind != .characteristic
        default: false
        }
    }
}
