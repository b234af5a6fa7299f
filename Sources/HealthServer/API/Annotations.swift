import Foundation
import HealthEngine
import HealthStorage

/// A note about a day, such as the beginning of a treatment, which charts show.
struct Annotation: Hashable, Sendable, Codable {
    var id = UUID()
    let day: Profile.Day
    let text: String
    /// The identifiers of the types whose charts show it; empty for all.
    var types: [String] = []
}

/// The annotations of a store's person. They are kept apart from the profile, which is read often.
struct AnnotationStore: Sendable {
    /// The greatest number of annotations.
    static let maximum = 500
    /// The greatest number of characters of one.
    static let maximumLength = 200

    private static let key = "annotations"

    let engine: HealthEngine

    /// Returns all annotations by day, those of one day in the order in which they were made.
    func all() throws -> [Annotation] {
        try engine.storage.read { try Self.read(in: $0) }
    }

    /// Adds an annotation.
    ///
    /// - Throws: `EngineError.invalidArgument` if there are as many as can be.
    func add(_ annotation: Annotation) throws {
        try change { annotations in
            guard annotations.count < Self.maximum else {
                throw EngineError.invalidArgument("A person can have at most \(Self.maximum) notes.")
            }
            let later = annotations.firstIndex { $0.day > annotation.day } ?? annotations.count
            annotations.insert(annotation, at: later)
        }
    }

    /// Deletes an annotation. Returns whether there was one.
    func delete(_ id: UUID) throws -> Bool {
        var isFound = false
        try change { annotations in
            isFound = annotations.contains { $0.id == id }
            annotations.removeAll { $0.id == id }
        }
        return isFound
    }

    private func change(_ change: (inout [Annotation]) throws -> Void) throws {
        try engine.commit { transaction, pending in
            let before = try Self.read(in: transaction)
            var annotations = before
            try change(&annotations)
            guard annotations != before else { return }
            try Settings.write(
                annotations, namespace: Settings.Namespace.profile, key: Self.key, in: transaction)
            pending.settingsChanged = true
        }
    }

    private static func read(in snapshot: any StorageSnapshot) throws -> [Annotation] {
        try Settings.read([Annotation].self, namespace: Settings.Namespace.profile, key: key, in: snapshot) ?? []
    }
}

extension HealthEngine {
    /// The annotations of the store's person.
    var annotations: AnnotationStore { AnnotationStore(engine: self) }
}
