import Foundation
import HealthEngine
import HealthModel
import HealthPages
import HealthImport

extension ExportRun {
    /// Decides whether an object needs a line in the supplement, and finds what belongs to it.
    func supplement(_ item: inout Planned) throws {
        guard let supplement else { return }
        let object = item.object
        let isGiven = contents.isGivenIdentity(of: object)
        var isReferenced = false
        // A derived UUID means nothing in another store unless something refers to it.
        defer { if !isGiven, !isReferenced { item.object.uuid = nil } }
        item.isSupplemented = isGiven || item.isExtra || !plain.isPlain(object)
        for index in item.routes.indices {
            item.routes[index].isSupplemented = contents.isGivenIdentity(of: item.routes[index].route)
        }
        if let uuid = object.uuid, attachmentOwners.contains(uuid) {
            // Attachments of prescriptions are files of the archive; those of other objects are in the supplement.
            if item.attachments.isEmpty { item.isSupplemented = true }
            isReferenced = true
            if !item.isSupplemented { plainOwners.insert(uuid) }
        }
        guard let uuid = object.uuid else { return }
        // Imported objects have no members other than a workout's routes and a correlation's samples, which are
        // handled later.
        var isWorkout = false
        if case .workout = object.body { isWorkout = true }
        guard item.isSupplemented || isWorkout else { return }
        let rows = try contents.memberRows(of: object.sequence, in: options.selection)
        if !rows.isEmpty { item.isSupplemented = true }
        let routes = Set(item.routes.compactMap(\.route.uuid))
        let others = try contents.memberObjects(of: object.sequence).filter { !routes.contains($0) }
        if !others.isEmpty {
            (item.isSupplemented, isReferenced) = (true, true)
            try supplement.add(.members(of: uuid, uuids: SupplementLine.data(others)))
        }
        if item.isSupplemented { item.members = try SupplementPages.members(rows, style.dictionaries) }
    }

    /// Adds correlations to the supplement whose members, which must be filled in, the archive cannot hold exactly:
    /// members are matched by content, so a correlation and its samples must have the same content.
    func supplementMembers(of item: inout Planned) throws {
        guard supplement != nil, !item.isSupplemented else { return }
        let isPlain = item.object.members.allSatisfy { member in
            plain.isPlain(member)
                && (member.uuid == nil || member.uuid == contents.identities.uuid(for: member.sequence))
        }
        guard !isPlain else { return }
        let rows = try contents.memberRows(of: item.object.sequence, in: options.selection)
        item.isSupplemented = true
        item.members = try SupplementPages.members(rows, style.dictionaries)
    }

    /// Writes the supplement unless it is empty.
    func writeSupplement(mainBytes: Int, to pipeline: PiecePipeline) throws {
        guard let supplement else { return }
        try addElectrocardiograms(to: supplement)
        for type in try contents.types() where type.kind == .quantity {
            try contents.visitQuantitySeries(of: type.code, in: options.selection) { uuid, series in
                let payload = ObjectCoder.encode(metadata: .empty, creation: nil, body: series.body)
                try supplement.add(.quantities(of: uuid, payload: Data(payload)))
            }
        }
        try contents.visitAttachments(in: options.selection) { owner, _, records in
            guard !plainOwners.contains(owner) else { return }
            for record in records {
                try supplement.add(record, of: owner) { try contents.attachmentPiece($0, of: record.identifier) }
            }
        }
        guard !supplement.isEmpty else { return }
        try supplement.write(mainBytes: mainBytes, to: pipeline)
    }

    /// Adds electrocardiograms in the order of their files' names, in which they are read.
    private func addElectrocardiograms(to supplement: SupplementWriter) throws {
        guard !supplementedElectrocardiograms.isEmpty else { return }
        let paths = auxiliaryFiles.files.compactMap { file -> String? in
            if case .electrocardiogram = file.content { file.path } else { nil }
        }
        for (place, path) in paths.sorted().enumerated() {
            guard let sequence = supplementedElectrocardiograms[path],
                let object = try contents.object(sequence: sequence)
            else {
                continue
            }
            let rows = try contents.memberRows(of: sequence, in: options.selection)
            try supplement.add(
                .object(object, place: place, members: SupplementPages.members(rows, style.dictionaries)))
            tally.completed[object.type, default: 0] += 1
        }
    }
}
