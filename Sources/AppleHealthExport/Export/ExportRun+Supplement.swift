import Foundation
import HealthEngine
import HealthModel
import HealthPages

extension ExportRun {
    /// Decides whether the supplement tells of an object, and finds what belongs to it then.
    func tell(_ item: inout Planned) throws {
        guard let supplement else { return }
        let object = item.object
        let isGiven = contents.isGivenIdentity(of: object)
        var isMeant = false
        // An identity that was derived is nobody's business in another store.
        defer { if !isGiven, !isMeant { item.object.uuid = nil } }
        item.isTold = isGiven || item.isExtra || !plain.isPlain(object)
        for index in item.routes.indices {
            item.routes[index].isTold = contents.isGivenIdentity(of: item.routes[index].route)
        }
        if let uuid = object.uuid, attachmentOwners.contains(uuid) {
            // A prescription has a place for its files; an application's is told with them.
            if item.attachments.isEmpty { item.isTold = true }
            isMeant = true
            if !item.isTold { plainOwners.insert(uuid) }
        }
        guard let uuid = object.uuid else { return }
        // What an archive brought owns nothing but a workout's routes and a correlation's members, which are looked
        // at together later on.
        var isWorkout = false
        if case .workout = object.body { isWorkout = true }
        guard item.isTold || isWorkout else { return }
        let rows = try contents.memberRows(of: object.sequence, in: options.selection)
        if !rows.isEmpty { item.isTold = true }
        let routes = Set(item.routes.compactMap(\.route.uuid))
        let others = try contents.memberObjects(of: object.sequence).filter { !routes.contains($0) }
        if !others.isEmpty {
            (item.isTold, isMeant) = (true, true)
            try supplement.add(.members(of: uuid, uuids: SupplementLine.data(others)))
        }
        if item.isTold { item.members = try SupplementPages.members(rows, style.dictionaries) }
    }

    /// Has correlations told whose members, which are filled in by now, an archive cannot tell: members are found
    /// again by what they say, so a correlation must say it as they do.
    func tellMembers(of item: inout Planned) throws {
        guard supplement != nil, !item.isTold else { return }
        let isPlain = item.object.members.allSatisfy { member in
            plain.isPlain(member) && (member.uuid == nil || member.uuid == contents.identities.uuid(for: member.sequence))
        }
        guard !isPlain else { return }
        let rows = try contents.memberRows(of: item.object.sequence, in: options.selection)
        item.isTold = true
        item.members = try SupplementPages.members(rows, style.dictionaries)
    }

    /// Writes the supplement, if there is anything to be said.
    func writeSupplement(mainBytes: Int, to pipeline: PiecePipeline) throws {
        guard let supplement else { return }
        try tellElectrocardiograms(supplement)
        for type in try contents.types() where type.kind == .quantity {
            try contents.visitQuantitySeries(of: type.code, in: options.selection) { uuid, series in
                let payload = ObjectCoder.encode(metadata: .empty, creation: nil, body: SupplementSeries.body(of: series))
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

    /// Tells of electrocardiograms in the order of their files' names, in which they are read.
    private func tellElectrocardiograms(_ supplement: SupplementWriter) throws {
        guard !toldElectrocardiograms.isEmpty else { return }
        let paths = companions.files.compactMap { file -> String? in
            if case .electrocardiogram = file.content { file.path } else { nil }
        }
        for (place, path) in paths.sorted().enumerated() {
            guard let sequence = toldElectrocardiograms[path], let object = try contents.object(sequence: sequence) else {
                continue
            }
            let rows = try contents.memberRows(of: sequence, in: options.selection)
            try supplement.add(
                .object(object, place: place, members: SupplementPages.members(rows, style.dictionaries)))
            tally.completed[object.type, default: 0] += 1
        }
    }
}
